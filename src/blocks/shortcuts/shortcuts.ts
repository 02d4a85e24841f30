import { useEffect, useEffectEvent } from 'react'

export interface Shortcut {
  /** As KeyboardEvent names them, one after the other: "g b", "/", "?". "Mod+k" is Command on a Mac, else Control. */
  keys: string
  label: string
  group: 'Everywhere' | 'Go to' | 'On this page'
  run: () => void
}

const registered = new Map<symbol, Shortcut>()

/** What the keys do now, and what the sheet of shortcuts lists: there is no other list, so the sheet cannot lie. */
export const shortcutsNow = (): readonly Shortcut[] => {
  // Of two for the same keys the later one counts: a page over the frame.
  const byKeys = new Map([...registered.values()].map((shortcut) => [shortcut.keys, shortcut]))
  return [...byKeys.values()]
}

/** Registers shortcuts while the component is there; none where there is nothing to do. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const run = useEffectEvent((keys: string) => shortcuts.find((one) => one.keys === keys)?.run())
  const listed = JSON.stringify(shortcuts.map(({ keys, label, group }) => ({ keys, label, group })))
  useEffect(() => {
    const ids = (JSON.parse(listed) as Omit<Shortcut, 'run'>[]).map((shortcut) => {
      const id = Symbol(shortcut.keys)
      registered.set(id, { ...shortcut, run: () => run(shortcut.keys) })
      return id
    })
    return () => {
      for (const id of ids) registered.delete(id)
    }
  }, [listed])
}

/** "n" for a new one of what the page lists, where it may be made and can be now. */
export function useNewShortcut(label: string, can: boolean, run: () => void): void {
  useShortcuts(can ? [{ keys: 'n', label, group: 'On this page', run }] : [])
}

/** Command where the keyboard has it. */
const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)

/** The keys of a shortcut as they stand on the keyboard: one after the other, each with what is held down. */
export const keyLabels = (keys: string): string[] =>
  keys.split(' ').map((key) => {
    if (!key.startsWith('Mod+')) return key
    const letter = key.slice('Mod+'.length).toUpperCase()
    return isMac ? `⌘${letter}` : `Ctrl ${letter}`
  })

/** Keys that follow each other as quickly are a hand scanner's, and are no wish of anybody's. */
const SCAN_GAP_MS = 50

const SEQUENCE_MS = 1_500

type Key = Pick<
  KeyboardEvent,
  | 'key'
  | 'ctrlKey'
  | 'metaKey'
  | 'altKey'
  | 'repeat'
  | 'isComposing'
  | 'defaultPrevented'
  | 'timeStamp'
  | 'preventDefault'
>

interface Screen {
  shortcuts: () => readonly Shortcut[]
  /** The person has not switched them off. */
  areSingleKeysOn: () => boolean
  /** A field has the focus, or a dialog or menu is open. */
  isBusy: (event: Key) => boolean
  /** A dialog is open: dialogs are never stacked. */
  isCovered: () => boolean
}

/** Reads keys as shortcuts: with Command or Control at once, single ones when it is clear that no scanner types. */
export class ShortcutKeys {
  readonly #screen: Screen
  #before = ''
  #lastAt = -Infinity
  #due: ReturnType<typeof setTimeout> | undefined

  constructor(screen: Screen) {
    this.#screen = screen
  }

  press(event: Key): void {
    if (event.defaultPrevented || event.isComposing || event.repeat) return
    if (event.ctrlKey || event.metaKey) return this.#withModifier(event)
    this.#single(event)
  }

  #withModifier(event: Key) {
    this.#forget()
    const shortcut = this.#find(`Mod+${event.key.toLowerCase()}`)
    if (!shortcut || event.altKey || this.#screen.isCovered()) return
    event.preventDefault()
    shortcut.run()
  }

  #single(event: Key) {
    const { key, timeStamp, altKey } = event
    // It comes before the key that it belongs to, and is none.
    if (key === 'Shift') return
    const sinceLast = timeStamp - this.#lastAt
    this.#lastAt = timeStamp
    const before = sinceLast < SEQUENCE_MS ? this.#before : ''
    this.#forget()
    const isOurs = !altKey && [...key].length === 1 && this.#screen.areSingleKeysOn() && !this.#screen.isBusy(event)
    if (!isOurs || sinceLast < SCAN_GAP_MS) return
    const keys = before === '' ? key : `${before} ${key}`
    if (before === '' && this.#screen.shortcuts().some((one) => one.keys.startsWith(`${key} `))) this.#before = key
    const shortcut = this.#find(keys)
    if (!shortcut) return
    event.preventDefault()
    this.#due = setTimeout(() => shortcut.run(), SCAN_GAP_MS)
  }

  #find(keys: string): Shortcut | undefined {
    return this.#screen.shortcuts().find((one) => one.keys === keys)
  }

  #forget() {
    clearTimeout(this.#due)
    this.#before = ''
  }
}

const NOT_TYPED_IN = ['button', 'checkbox', 'radio', 'file', 'submit', 'reset', 'color', 'range']

/** Whether keys go into the element: a field, a select, an editor. */
export function isTyping(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false
  if (element instanceof HTMLInputElement) return !NOT_TYPED_IN.includes(element.type)
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement || element.isContentEditable
}
