import { proxy } from 'valtio/vanilla'

/** The command palette above a merchant's screen. `typedAhead`: keys that were typed before its field was drawn. */
export const palette = proxy({ isOpen: false, typedAhead: '' })

export const openPalette = (): void => void Object.assign(palette, { isOpen: true, typedAhead: '' })

export const closePalette = (): void => void (palette.isOpen = false)
