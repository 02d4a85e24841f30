import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

/** What is open over a merchant's screen: the command palette, or the list of shortcuts. */
export const palette = proxy<{
  open: 'palette' | 'shortcuts' | undefined
  /** Keys typed before the field was drawn. */
  typedAhead: string
}>({ open: undefined, typedAhead: '' })

export const openPalette = (): void => void Object.assign(palette, { open: 'palette', typedAhead: '' })

export const openShortcuts = (): void => void (palette.open = 'shortcuts')

export const closePalette = (): void => void (palette.open = undefined)

const KEY = 'single-keys-off'

const Off = v.array(v.string())

/** Accounts that switched off single-key shortcuts on this device: dictation software would trigger them (WCAG 2.1.4). */
export const singleKeys = proxy<{ off: string[] }>({ off: readStored(KEY, Off) ?? [] })

onStoredElsewhere(KEY, () => {
  singleKeys.off = readStored(KEY, Off) ?? []
})

export function switchSingleKeys(user: string, on: boolean): void {
  singleKeys.off = [...singleKeys.off.filter((one) => one !== user), ...(on ? [] : [user])]
  writeStored(KEY, singleKeys.off)
}
