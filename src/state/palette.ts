import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

/** What stands over the screen of a merchant: where to go and what to do, or the keys there are. */
export const palette = proxy<{
  open: 'palette' | 'shortcuts' | undefined
  /** Keys that came before the field was there. */
  typedAhead: string
}>({ open: undefined, typedAhead: '' })

export const openPalette = (): void => void Object.assign(palette, { open: 'palette', typedAhead: '' })

export const openShortcuts = (): void => void (palette.open = 'shortcuts')

export const closePalette = (): void => void (palette.open = undefined)

const KEY = 'single-keys-off'

const Off = v.array(v.string())

/**
 * Who switched off the shortcuts of one key on this device, by account: software that types what is spoken would set them off
 * (WCAG 2.1.4).
 */
export const singleKeys = proxy<{ off: string[] }>({ off: readStored(KEY, Off) ?? [] })

onStoredElsewhere(KEY, () => {
  singleKeys.off = readStored(KEY, Off) ?? []
})

export function switchSingleKeys(user: string, on: boolean): void {
  singleKeys.off = [...singleKeys.off.filter((one) => one !== user), ...(on ? [] : [user])]
  writeStored(KEY, singleKeys.off)
}
