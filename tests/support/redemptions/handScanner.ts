import type { Page } from '@playwright/test'

interface Keystroke {
  key: string
  /** The place on the keyboard, as KeyboardEvent names it. Left out where only the character counts. */
  code?: string
  ctrl?: boolean
}

/** Milliseconds between two keys of a hand scanner. */
const SCANNER_MS = 5

interface Typing {
  every?: number
  /** One longer wait, before the key at this place. */
  pause?: { at: number; ms: number }
  ends?: readonly Keystroke[]
  betweenEnds?: number
}

const ENTER: Keystroke = { key: 'Enter', code: 'Enter' }

/** Returns the code as a scanner types it whose keyboard language is that of the device. */
export const signsOf = (code: string): Keystroke[] => [...code].map((key) => ({ key }))

/** The characters of the digit keys on a French keyboard. PAD has the keys of the numeric pad with Num Lock off. */
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

/** Returns digits as a scanner that only knows the American keyboard types them on a French device. */
export const inFrench = (digits: string): Keystroke[] =>
  [...digits].map((digit) => ({ key: FRENCH[Number(digit)]!, code: `Digit${digit}` }))

/** Returns digits from a scanner that types on the numeric pad, with Num Lock off. */
export const onPad = (digits: string): Keystroke[] =>
  [...digits].map((digit) => ({ key: PAD[Number(digit)]!, code: `Numpad${digit}` }))

/**
 * Types as a hand scanner does: keys faster than any person's, then Enter. Each key has its own time, so that a scan stays a scan on a busy machine.
 * The times lie a second in the past, because a user's next key would otherwise count as part of the scan (rule 14.12). `until` is awaited before the
 * last end key, since an answer may come before it.
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
  // All keys are sent at once: on a busy machine a real pause between two keys would end the code.
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

/** Returns a time that is not before the page's own start: Chromium 156 ends a page that gets such a key. */
async function whilePageIsThere(page: Page, at: number): Promise<number> {
  const began = await page.evaluate(() => performance.timeOrigin)
  // A test may have moved the page's clock.
  return Math.min(Date.now(), Math.max(at, began + 1))
}

const VIRTUAL_KEYS: Record<string, number> = { Enter: 13, Tab: 9, End: 35, Home: 36, ArrowDown: 40, ArrowUp: 38 }
