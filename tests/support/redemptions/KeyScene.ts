import { vi } from 'vitest'
import { ScannerKeys, type KeyTargets, type ScannerKey } from '../../../src/blocks/vouchers/ScannerKeys.ts'
import { FRENCH as FRENCH_DIGITS, PAD } from './handScanner.ts'

/** The focused element: a button, a text field, the page, or a `list`, which is a select or a menu that letters move through. */
export type Focus = 'button' | 'field' | 'list' | 'page'

/** The keyboard language of the device, or the way the scanner types. */
export type Layout =
  | 'us'
  | 'french'
  | 'belgian'
  | 'german'
  | 'pad'
  | 'pad without Num Lock'
  | 'Alt and pad'
  | 'input method'

interface KeyStroke {
  key: string
  code?: string
  shiftKey?: boolean
  ctrlKey?: boolean
  altKey?: boolean
  repeat?: boolean
}

/** A page with a button and a field. It does what a browser does with keys that are not prevented. */
export class KeyScene implements KeyTargets {
  focus: Focus = 'button'
  field = ''
  presses = 0
  submits = 0
  /** Keys that reached the browser with Ctrl held: the browser has shortcuts for them. */
  browserActs = 0
  takes = true
  readonly scans: string[] = []
  readonly refused: string[] = []
  now = 1_000
  scrolls = 0
  readonly keys = new ScannerKeys(this)
  #spaceIsDown = false

  rememberField() {
    if (this.focus !== 'field') return undefined
    const before = this.field
    return () => void (this.field = before)
  }
  control() {
    return this.focus === 'button' ? () => void (this.presses += 1) : undefined
  }
  takesLetters() {
    return this.focus === 'list'
  }
  mayTake() {
    return this.takes
  }
  onScan(scanned: string) {
    this.scans.push(scanned)
  }
  onRefused(scanned: string) {
    this.refused.push(scanned)
  }

  wait(ms: number): void {
    this.now += ms
    vi.advanceTimersByTime(ms)
  }

  /** Presses a key and releases it, with the browser's events. */
  stroke(stroke: KeyStroke): void {
    this.#down(stroke)
    this.#up(stroke)
  }

  #event(stroke: KeyStroke): ScannerKey & { kept: boolean } {
    const { now } = this
    const event = {
      code: '',
      shiftKey: false,
      ctrlKey: false,
      altKey: false,
      metaKey: false,
      repeat: false,
      ...stroke,
      isComposing: false,
      timeStamp: now,
      kept: false,
      preventDefault: () => void (event.kept = true),
      stopPropagation: () => undefined,
    }
    return event
  }

  #down(stroke: KeyStroke) {
    const event = this.#event(stroke)
    this.keys.keydown(event)
    if (event.kept) return
    const { key } = stroke
    if (stroke.ctrlKey) this.browserActs += 1
    else if (key === 'Enter' && this.focus === 'button') this.presses += 1
    else if (key === 'Enter' && this.focus === 'field') this.submits += 1
    else if (key === ' ' && this.focus === 'button') this.#spaceIsDown = true
    else if (key === ' ' && this.focus === 'page') this.scrolls += 1
    else if ([...key].length === 1 && this.focus === 'field') this.field += key
  }

  #up(stroke: KeyStroke) {
    const event = this.#event(stroke)
    this.keys.keyup(event)
    if (stroke.key !== ' ') return
    if (this.#spaceIsDown && !event.kept && this.focus === 'button') this.presses += 1
    this.#spaceIsDown = false
  }

  /** Types one character as a scanner of that layout does. */
  character(character: string, layout: Layout): void {
    if (layout === 'Alt and pad') return this.#altCharacter(character)
    if (layout === 'input method') return this.#inserted(character)
    if (/^\d$/.test(character) && layout === 'pad') return this.stroke({ key: character, code: `Numpad${character}` })
    if (/^\d$/.test(character) && layout === 'pad without Num Lock') {
      return this.stroke({ key: PAD[Number(character)]!, code: `Numpad${character}` })
    }
    const [code, shiftKey] = usKey(character)
    const key = CHARACTERS[layout]?.[code]?.[shiftKey ? 1 : 0] ?? character
    if (shiftKey) this.#down({ key: 'Shift', code: 'ShiftLeft' })
    this.stroke({ key, code, shiftKey })
    if (shiftKey) this.#up({ key: 'Shift', code: 'ShiftLeft' })
  }

  #altCharacter(character: string) {
    const digits = String(character.codePointAt(0)).padStart(4, '0')
    this.#down({ key: 'Alt', code: 'AltLeft', altKey: true })
    for (const digit of digits) this.stroke({ key: digit, code: `Numpad${digit}`, altKey: true })
    this.#up({ key: 'Alt', code: 'AltLeft' })
  }

  #inserted(character: string) {
    this.#down({ key: 'Unidentified' })
    let kept = false
    const event = { data: character, inputType: 'insertText', timeStamp: this.now }
    if (this.focus !== 'field') return
    this.keys.inserted({ ...event, preventDefault: () => void (kept = true), stopPropagation: () => undefined })
    if (!kept) this.field += character
  }

  end(end: string): void {
    const letter = /^Ctrl\+(.)$/.exec(end)?.[1]
    if (letter) this.stroke({ key: letter.toLowerCase(), code: `Key${letter}`, ctrlKey: true })
    else this.stroke({ key: end, code: end })
  }
}

/** Returns the key of an American keyboard, and true if Shift is held, as scanners send it. */
function usKey(character: string): [code: string, shift: boolean] {
  if (/^[a-z]$/i.test(character)) return [`Key${character.toUpperCase()}`, character !== character.toLowerCase()]
  const plain = US_PLAIN.find(([, plain]) => plain === character)
  if (plain) return [plain[0], false]
  const shifted = US_PLAIN.find(([, , shifted]) => shifted === character)
  if (!shifted) throw new Error(`no key types ${character}`)
  return [shifted[0], true]
}

const US_PLAIN: [code: string, plain: string, shifted: string][] = [
  ...[...')!@#$%^&*('].map((character, digit): [string, string, string] => [`Digit${digit}`, String(digit), character]),
  ['Space', ' ', ''],
  ['Period', '.', '>'],
  ['Comma', ',', '<'],
  ['Slash', '/', '?'],
  ['Minus', '-', '_'],
  ['Equal', '=', '+'],
  ['Semicolon', ';', ':'],
  ['BracketLeft', '[', '{'],
  ['BracketRight', ']', '}'],
  ['Quote', "'", '"'],
]

type Characters = Record<string, [plain: string, shifted: string]>

const FRENCH: Characters = {
  ...Object.fromEntries([...FRENCH_DIGITS].map((character, digit) => [`Digit${digit}`, [character, String(digit)]])),
  KeyQ: ['a', 'A'],
  KeyA: ['q', 'Q'],
  KeyW: ['z', 'Z'],
  KeyZ: ['w', 'W'],
  KeyM: [',', '?'],
  Semicolon: ['m', 'M'],
  Comma: [';', '.'],
  Period: [':', '/'],
  Slash: ['!', '§'],
  Minus: [')', '°'],
  Equal: ['=', '+'],
  BracketLeft: ['Dead', 'Dead'],
  BracketRight: ['$', '£'],
  Quote: ['ù', '%'],
}

const BELGIAN: Characters = {
  ...FRENCH,
  Digit6: ['§', '6'],
  Digit8: ['!', '8'],
  Slash: ['=', '+'],
  Equal: ['-', '_'],
  BracketRight: ['$', '*'],
}

const GERMAN: Characters = {
  KeyY: ['z', 'Z'],
  KeyZ: ['y', 'Y'],
  Minus: ['ß', '?'],
  Slash: ['-', '_'],
  Equal: ['Dead', 'Dead'],
  Semicolon: ['ö', 'Ö'],
  BracketRight: ['+', '*'],
}

const CHARACTERS: Partial<Record<Layout, Characters>> = { french: FRENCH, belgian: BELGIAN, german: GERMAN }
