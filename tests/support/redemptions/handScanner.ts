import type { Page } from '@playwright/test'

interface Keystroke {
  key: string
  /** The place on the keyboard, as KeyboardEvent names it; absent where only the sign counts. */
  code?: string
  ctrl?: boolean
}

/** Between two keys of a hand scanner. */
const SCANNER_MS = 5

interface Typing {
  every?: number
  /** One longer wait, before the key at this place. */
  pause?: { at: number; ms: number }
  ends?: readonly Keystroke[]
  betweenEnds?: number
}

const ENTER: Keystroke = { key: 'Enter', code: 'Enter' }

/** The code as a scanner types it whose keyboard language is the device's own. */
export const signsOf = (code: string): Keystroke[] => [...code].map((key) => ({ key }))

/** What the digits of an American keyboard type on a French one, and those of the numeric pad with Num Lock off. */
export const FRENCH = 'à&é"\'(-è_ç'
export const PAD = [
  'Insert',
  'End',
  'ArrowDown',
  'PageDown',
  'ArrowLeft',
  'Clear',
  'ArrowRight',
  'Home',
  'ArrowUp',
  'PageUp',
]

/** Digits on a device in French, from a scanner that knows the American keyboard alone. */
export const inFrench = (digits: string): Keystroke[] =>
  [...digits].map((digit) => ({ key: FRENCH[Number(digit)]!, code: `Digit${digit}` }))

/** Digits from a scanner that types on the numeric pad, with Num Lock off. */
export const onPad = (digits: string): Keystroke[] =>
  [...digits].map((digit) => ({ key: PAD[Number(digit)]!, code: `Numpad${digit}` }))

/**
 * What a hand scanner does: keys faster than any person, then Enter. Each key says itself when it was pressed, so that a busy
 * machine does not make typing of a scan: a second ago, for a person's next key would be the scan's own otherwise (rule 14.12).
 * `until` is awaited before the last end key: an answer may be quicker than that.
 */
export async function typeLikeScanner(
  page: Page,
  keys: readonly Keystroke[],
  { every = SCANNER_MS, pause, ends = [ENTER], betweenEnds = every }: Typing = {},
  until?: () => Promise<void>,
): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const all = [...keys, ...ends]
  const waits = all.map((_, n) => {
    if (n === 0) return 0
    if (n === pause?.at) return pause.ms
    return n > keys.length ? betweenEnds : every
  })
  const length = waits.reduce((sum, wait) => sum + wait, 0)
  // Not one after the other: on a busy machine a real pause between two would end the code.
  const sent: Promise<unknown>[] = []
  let at = await whilePageIsThere(page, Date.now() - length - 1_000)
  for (const [n, { key, code, ctrl }] of all.entries()) {
    at += waits[n]!
    if (until && n === all.length - 1) {
      await Promise.all(sent)
      await until()
    }
    const isSign = [...key].length === 1 && !ctrl
    const text = key === 'Enter' ? '\r' : isSign ? key : undefined
    const stroke = {
      key,
      timestamp: at / 1_000,
      windowsVirtualKeyCode: VIRTUAL_KEYS[key] ?? key.toUpperCase().charCodeAt(0),
      ...(code && { code }),
      ...(ctrl && { modifiers: 2 }),
    }
    sent.push(devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...stroke, ...(text && { text }) }))
    sent.push(devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke }))
  }
  await Promise.all(sent)
  await devtools.detach()
}

/** Chromium 156 ends a page that hears of a key from before its own time. */
async function whilePageIsThere(page: Page, at: number): Promise<number> {
  const began = await page.evaluate(() => performance.timeOrigin)
  // A test may have moved the page's clock.
  return Math.min(Date.now(), Math.max(at, began + 1))
}

const VIRTUAL_KEYS: Record<string, number> = { Enter: 13, Tab: 9, End: 35, Home: 36, ArrowDown: 40, ArrowUp: 38 }
