import { isSignedVoucher } from '../../domain/signedVouchers.ts'
import { codeIn, scanProblem } from '../../domain/vouchers.ts'
import { isModifier, readCharacter, textsOf, type Character, type CharacterKey } from './scannerCharacters.ts'

/**
 * A scanner is recognised by four keys in a row, each at most this long after the key before: a person is that quick twice, not
 * three times. Three such keys and an end key also come from a scanner.
 */
const FAST_MS = 60
const FAST_GAPS = 3
/** The same for letters: a person types a familiar word faster than digits, but never seven letters at this speed. */
const FAST_LETTER_MS = 35
const FAST_LETTER_GAPS = 6
/** The longest pause within a code: Bluetooth may delay keys (rule 14.12). */
const PAUSE_MS = 400
const PAUSE_IN_SIGNED_MS = 1_000
/** An end key this soon after a scan belongs to the scan: a scanner that ends with CR LF sends Enter twice. */
const AFTER_SCAN_MS = 500
/** The end key of a code that a pause has ended may still come this much later, since Bluetooth may delay it. */
const LATE_END_MS = 1_500
/** Escape, arrows and similar keys come from a scanner only this soon after its last key. */
const AFTER_KEY_MS = 100
/** A busy page may run a timer before keys that came in time, so the end of a pause waits this long for such keys. */
const KEYS_FIRST_MS = 20
/** Some scanners send a code twice: the second within this time is ignored. */
const SAME_CODE_AGAIN_MS = 800
/** Pressing a button by key waits this long, in case the key begins a code. */
const PRESS_WAIT_MS = 100

/** Restores the value that a field had before a key. */
type TakeBack = () => void

/** The parts of the page that the keys affect. */
export interface KeyTargets {
  /** Remembers the text field with the focus; `undefined` if no field has it. */
  rememberField: () => TakeBack | undefined
  /** Returns a function that presses the focused button, link or box; `undefined` if `key` would press none. */
  control: (key: 'Enter' | ' ') => (() => void) | undefined
  /** True if a list or menu has the focus, where letters move the selection: it gets letters until a scanner is recognised. */
  takesLetters: () => boolean
  /** True if a scan can be taken now. A burst that began while it was false is refused. */
  mayTake: () => boolean
  /** Gets a whole code without the identifiers before it, or a text that cannot be a code, so that it can be reported. */
  onScan: (scanned: string) => void
  /** Called instead of `onScan` while no scan can be taken. */
  onRefused: (scanned: string) => void
}

type PreventableEvent = Pick<Event, 'preventDefault' | 'stopPropagation'>

/** A key as the browser reports it. `timeStamp` is the event's own, so that a busy page does not lengthen the gaps. */
export type ScannerKey = PreventableEvent & CharacterKey & Pick<KeyboardEvent, 'timeStamp' | 'repeat' | 'isComposing'>

interface TypedCharacter extends Character {
  /** True if there was a gap before this character, so that a code may begin here. */
  afterGap: boolean
  takeBack: TakeBack | undefined
}

/** Keys that follow each other without a pause. */
interface Burst {
  characters: TypedCharacter[]
  lastAt: number
  /** The number of gaps in a row within `FAST_MS`. */
  gaps: number
  /** The number of gaps in a row within `FAST_MS` before a digit, or within `FAST_LETTER_MS` before a letter. */
  fastGaps: number
  /** True if the keys are too quick for a person. */
  isFast: boolean
  /** True if no field has the focus, so that the page gets none of these keys. */
  isOutside: boolean
  mayTake: boolean
  pause: ReturnType<typeof setTimeout> | undefined
}

/**
 * Handles the keys of hand scanners, wherever the focus is. The page sees no key of a scan, and a person's typing is not changed.
 * Enter and space press a button only if they are not part of a scan. In a field, the first keys are written, since a person may
 * type them. The field gets its former value back once a scanner is recognised, by its speed or by a whole code.
 */
export class ScannerKeys {
  readonly #targets: KeyTargets
  #burst: Burst | undefined
  #endedAt = -Infinity
  /** Until this time, an end key belongs to a code that a pause has ended. */
  #endsUntil = -Infinity
  #delivered = { scanned: '', at: -Infinity }
  #waiting: { press: () => void; timer: ReturnType<typeof setTimeout> } | undefined
  /** The keys that are down now and were kept from the page. */
  readonly #kept = new Set<string>()
  /** The digits of one character, from a scanner that types with Alt and the numeric pad. */
  #alt = ''
  #inputMethodAt = -Infinity

  constructor(targets: KeyTargets) {
    this.#targets = targets
  }

  keydown(event: ScannerKey): void {
    const { key, code, timeStamp: at } = event
    if (event.isComposing || isModifier(key)) return
    this.#endAfterPause(at)
    // The keys of an input method have no name. In a field their text comes as `beforeinput`. Outside of a field it is lost.
    if (key === 'Unidentified' || key === 'Process') {
      this.#inputMethodAt = at
      // The trigger button of a handheld repeats while it is held.
      if (!event.repeat && this.#targets.rememberField() === undefined) this.#add(LOST_CHARACTER, at)
      return
    }
    if (event.altKey && !event.ctrlKey && /^Numpad\d$/.test(code)) {
      this.#alt += code.at(-1)
      return this.#keep(event)
    }
    if (isEnd(event)) return this.#end(event)
    const character = readCharacter(event)
    if (character) return this.#character(event, character)
    if (this.#isAmongScan(event)) this.#keep(event)
  }

  keyup(event: PreventableEvent & Pick<KeyboardEvent, 'key' | 'code' | 'timeStamp'>): void {
    if (event.key === 'Alt' && this.#alt !== '') {
      const typed = String.fromCodePoint(Number(this.#alt) % 256)
      this.#alt = ''
      this.#add({ key: typed, us: typed, digits: typed }, event.timeStamp)
    }
    // Firefox presses a button when the space bar is released, even if its keydown was prevented.
    if (this.#kept.delete(event.code || event.key)) keepFromPage(event)
  }

  /** Reads one character that an input method puts into a field without a key for it. */
  inserted(event: PreventableEvent & Pick<InputEvent, 'data' | 'inputType' | 'timeStamp'>): void {
    const { data, inputType, timeStamp: at } = event
    const isUnsaid = at - this.#inputMethodAt <= FAST_MS
    if (inputType !== 'insertText' || data === null || [...data].length !== 1 || !isUnsaid) return
    this.#endAfterPause(at)
    if (this.#add({ key: data, us: data, digits: data }, at)) keepFromPage(event)
  }

  /** Reads a code from the clipboard, where some scanners put it, like a scan. The page handles any other text. */
  pasted(event: PreventableEvent & Pick<Event, 'timeStamp'>, text: string): void {
    if (scanProblem(codeIn(text)) !== undefined) return
    keepFromPage(event)
    this.#deliver(codeIn(text), event.timeStamp, this.#targets.mayTake())
  }

  /** Stops a click that the browser makes from a key during a scan. Such a click has the `detail` 0. */
  clicked(event: PreventableEvent & Pick<MouseEvent, 'detail' | 'timeStamp' | 'isTrusted'>): void {
    const { detail, isTrusted, timeStamp: at } = event
    if (!isTrusted || detail > 0) return
    if (this.#burst?.isFast || this.#burst?.isOutside || at - this.#endedAt <= AFTER_SCAN_MS) keepFromPage(event)
  }

  /** Forgets unfinished codes and presses. Called when the page is left. */
  stop(): void {
    this.#forget()
    this.#dropPress()
  }

  #character(event: ScannerKey, character: Character) {
    if (event.repeat) {
      if (this.#burst?.isFast || this.#burst?.isOutside || this.#targets.control(' ')) this.#keep(event)
      return
    }
    const begins = this.#burst === undefined
    const press = begins && character.key === ' ' ? this.#targets.control(' ') : undefined
    const isOurs = this.#add(character, event.timeStamp)
    // A code may begin with a space, and pause after it.
    const wait = this.#targets.takesLetters() ? PRESS_WAIT_MS : PAUSE_MS
    if (press) this.#pressSoon(press, event.timeStamp, wait)
    if (isOurs || press) this.#keep(event)
  }

  /** Adds a character. Returns true if the page must not get it. */
  #add(character: Character, at: number): boolean {
    this.#dropPress()
    // A readable character after lost characters begins a new code.
    if (character !== LOST_CHARACTER && this.#burst?.characters.every(({ key }) => key === LOST_CHARACTER.key))
      this.#forget()
    const gap = this.#burst ? at - this.#burst.lastAt : Infinity
    // If the burst is already a whole code, this character begins the next code: the scanner sends no end key.
    if (this.#burst && gap > FAST_MS && codeFrom(this.#burst.characters) !== undefined) this.#pauseIsOver()
    const takeBack = this.#targets.rememberField()
    const burst = (this.#burst ??= this.#begin(at))
    const isDigit = /\d/.test(character.digits)
    burst.gaps = gap <= FAST_MS ? burst.gaps + 1 : 0
    burst.fastGaps = gap <= (isDigit ? FAST_MS : FAST_LETTER_MS) ? burst.fastGaps + 1 : 0
    burst.characters.push({ ...character, afterGap: gap > FAST_MS, takeBack })
    burst.lastAt = at
    // A space bar alone scrolls the page.
    const isScroll = character.key === ' ' && burst.characters.length === 1 && !this.#targets.control(' ')
    if (takeBack === undefined && !isScroll && (isDigit || !this.#targets.takesLetters())) burst.isOutside = true
    if (!burst.isFast && (burst.fastGaps >= FAST_GAPS || burst.gaps >= FAST_LETTER_GAPS)) {
      burst.isFast = true
      takeBackFrom(burst.characters, startOf(burst.characters))
    }
    clearTimeout(burst.pause)
    const waitForKeys = () => (burst.pause = setTimeout(() => this.#pauseIsOver(), KEYS_FIRST_MS))
    burst.pause = setTimeout(waitForKeys, this.#longestPause(burst))
    return burst.isFast || burst.isOutside
  }

  #begin(at: number): Burst {
    const mayTake = this.#targets.mayTake()
    return {
      characters: [],
      lastAt: at,
      gaps: 0,
      fastGaps: 0,
      isFast: false,
      isOutside: false,
      mayTake,
      pause: undefined,
    }
  }

  #longestPause({ characters }: Burst): number {
    return textsOf(characters.slice(0, 12)).some((text) => isSignedVoucher(codeIn(text)))
      ? PAUSE_IN_SIGNED_MS
      : PAUSE_MS
  }

  /** Ends the burst if the time of the next key shows a pause, because the timer may be late. */
  #endAfterPause(at: number) {
    if (!this.#burst) return
    const gap = at - this.#burst.lastAt
    // A key of another keyboard may have an older time, and does not continue the burst.
    if (gap < 0 || gap > this.#longestPause(this.#burst)) this.#pauseIsOver()
  }

  /** Ends a burst after a pause, because some scanners send no end key. Slow keys in a field come from a person and are left alone. */
  #pauseIsOver() {
    const burst = this.#burst
    if (!burst) return
    this.#forget()
    if ((!burst.isFast && !burst.isOutside) || burst.characters.length === 1) return
    const isScan = burst.isFast || codeOf(burst) !== undefined
    if (isScan) this.#endsUntil = burst.lastAt + this.#longestPause(burst) + LATE_END_MS
    this.#finish(burst, burst.lastAt)
  }

  #end(event: ScannerKey) {
    const { timeStamp: at } = event
    const burst = this.#burst
    this.#forget()
    if (burst) {
      const isQuick = burst.gaps > 1 && at - burst.lastAt <= FAST_MS
      if (burst.isFast || burst.isOutside || isQuick || codeOf(burst) !== undefined) {
        this.#dropPress()
        this.#keep(event)
        // This was the end key of the code, so the next end key may come from a person.
        this.#endsUntil = -Infinity
        return this.#finish(burst, at)
      }
    }
    if (at <= this.#endsUntil) {
      this.#endedAt = at
      this.#endsUntil = -Infinity
    }
    if (at - this.#endedAt <= AFTER_SCAN_MS) return this.#keep(event)
    // If a person has pressed two keys quickly, the first key takes effect before the focus moves.
    this.#pressNow()
    if (event.key !== 'Enter' || event.ctrlKey) return
    const press = this.#targets.control('Enter')
    if (!press) return
    this.#keep(event)
    if (!event.repeat) this.#pressSoon(press, at)
  }

  /** Presses after a short wait, and not right after a scan, so that the keys of a scan press nothing. */
  #pressSoon(press: () => void, at: number, wait = PRESS_WAIT_MS) {
    if (at - this.#endedAt <= AFTER_SCAN_MS) return
    this.#waiting = { press, timer: setTimeout(() => this.#pressNow(), wait) }
  }

  #pressNow() {
    const waiting = this.#waiting
    if (!waiting) return
    this.#dropPress()
    // The space came from a person, so it does not begin a code.
    this.#forget()
    waiting.press()
  }

  #dropPress() {
    clearTimeout(this.#waiting?.timer)
    this.#waiting = undefined
  }

  #finish(burst: Burst, at: number) {
    const { characters, isOutside, mayTake } = burst
    this.#endedAt = at
    // A single key and a late end key come from a person.
    if (characters.length === 1 && at - burst.lastAt > FAST_MS) return
    const code = codeOf(burst)
    const from = code?.from ?? (isOutside ? 0 : startOf(characters))
    takeBackFrom(characters, from)
    this.#deliver(code?.text ?? unreadText(characters.slice(from)), at, mayTake && this.#targets.mayTake())
  }

  #deliver(scanned: string, at: number, mayTake: boolean) {
    const isRepeated = scanned === this.#delivered.scanned && at - this.#delivered.at < SAME_CODE_AGAIN_MS
    if (isRepeated) this.#delivered.at = at
    else if (mayTake) {
      this.#delivered = { scanned, at }
      this.#targets.onScan(scanned)
    } else this.#targets.onRefused(scanned)
  }

  /**
   * True for control keys, and letters held with Ctrl, that a scanner sends within or right after a code. They must not reach the
   * browser, which has its own actions for them.
   */
  #isAmongScan({ timeStamp: at, ctrlKey }: ScannerKey): boolean {
    const burst = this.#burst
    const isOurs = burst && (burst.isFast || burst.isOutside)
    const lastAt = isOurs ? burst.lastAt : this.#endedAt
    return at - lastAt <= (ctrlKey ? AFTER_SCAN_MS : AFTER_KEY_MS)
  }

  #forget() {
    clearTimeout(this.#burst?.pause)
    this.#burst = undefined
  }

  #keep(event: ScannerKey) {
    this.#kept.add(event.code || event.key)
    keepFromPage(event)
  }
}

/** Stands for a character that an input method has swallowed. */
const LOST_CHARACTER: Character = { key: '\uFFFD', us: '\uFFFD', digits: '\uFFFD' }

function keepFromPage(event: PreventableEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

/** True for Enter and Tab, and for the letters that stand for CR, LF and TAB while Ctrl is held. */
const isEnd = ({ key, ctrlKey, altKey, metaKey }: ScannerKey): boolean =>
  !altKey && !metaKey && (ctrlKey ? /^[ijm]$/i.test(key) : key === 'Enter' || key === 'Tab')

/** Finds a whole code at the end of the keys, and its first key: a person or another scanner may have typed before it. */
function codeOf({ characters }: Burst): { text: string; from: number } | undefined {
  for (const [from, character] of characters.entries()) {
    const text = character.afterGap ? codeFrom(characters.slice(from)) : undefined
    if (text !== undefined) return { text, from }
  }
  return undefined
}

/**
 * Finds the first key of an incomplete code, in which a scanner may have paused. Single characters before it, with gaps between them, come from a
 * person.
 */
function startOf(characters: readonly TypedCharacter[]): number {
  let start = characters.length
  for (;;) {
    const before = characters.slice(0, start).findLastIndex(({ afterGap }) => afterGap)
    if (before < 0 || (start < characters.length && start - before < 2)) return start === characters.length ? 0 : start
    start = before
  }
}

/** Restores the field as it was before the code, whose first characters may have come before the field had the focus. */
const takeBackFrom = (characters: readonly TypedCharacter[], from: number) =>
  characters
    .slice(from)
    .find(({ takeBack }) => takeBack)
    ?.takeBack?.()

const codeFrom = (characters: readonly Character[]): string | undefined =>
  textsOf(characters)
    .map(codeIn)
    .find((text) => scanProblem(text) === undefined)

/** Returns the text of characters that are no voucher code: digits or a damaged code of ours in any keyboard language, else the device's own reading. */
function unreadText(characters: readonly Character[]): string {
  const texts = textsOf(characters).map(codeIn)
  return texts.find((text) => /^(?:\d+|hrp[12][.:].*)$/i.test(text)) ?? texts[0]!
}
