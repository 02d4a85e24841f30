import { useShortcuts } from './shortcuts.ts'

/** "n" for a new one of what the page lists, where it may be made and can be now. */
export function useNewShortcut(label: string, can: boolean, run: () => void): void {
  useShortcuts(can ? [{ keys: 'n', label, group: 'On this page', run }] : [])
}
