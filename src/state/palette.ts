import { proxy } from 'valtio/vanilla'

/** What stands over the screen of a merchant: where to go and what to do, or the keys there are. */
export const palette = proxy<{ open: 'palette' | 'shortcuts' | undefined }>({ open: undefined })

export const openPalette = (): void => void (palette.open = 'palette')
export const openShortcuts = (): void => void (palette.open = 'shortcuts')
export const closePalette = (): void => void (palette.open = undefined)
