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
