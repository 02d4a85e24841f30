import { proxy } from 'valtio/vanilla'

/** What stands over the screen of a merchant: where to go and what to do, or the keys there are. */
export const palette = proxy<{
  open: 'palette' | 'shortcuts' | undefined
  /** Keys that came before the field was there. */
  typedAhead: string
}>({ open: undefined, typedAhead: '' })

export const openPalette = (): void => void Object.assign(palette, { open: 'palette', typedAhead: '' })
export const openShortcuts = (): void => void (palette.open = 'shortcuts')
export const closePalette = (): void => void (palette.open = undefined)
