const GAP = 4
const EDGE = 8

/** Below the anchor and flush with its right edge; above it, or shifted, where the window leaves no room. */
export function placePopup(popup: HTMLElement, anchor: HTMLElement): void {
  const button = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popup
  const { clientWidth, clientHeight } = document.documentElement
  const below = button.bottom + GAP
  const top = below + height <= clientHeight - EDGE ? below : Math.max(EDGE, button.top - GAP - height)
  const left = Math.min(Math.max(EDGE, button.right - width), clientWidth - EDGE - width)
  Object.assign(popup.style, { top: `${top}px`, left: `${Math.max(EDGE, left)}px` })
}
