import { useEffect, type RefObject } from 'react'

/** A press elsewhere closes; so does a scroll or a turn of the device, since the popup would hang in the wrong place. */
export function useCloseOutside(
  popup: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  close: () => void,
) {
  useEffect(() => {
    const gone = new AbortController()
    const options = { capture: true, signal: gone.signal }
    const closeUnlessInside = (event: Event) => {
      const inside = [popup, anchor].some(
        ({ current }) => event.target instanceof Node && current?.contains(event.target),
      )
      if (!inside) close()
    }
    window.addEventListener('pointerdown', closeUnlessInside, options)
    const opened = placeOf(anchor.current)
    // The end of a scroll that began before the press is told after it: the popup hangs where it should.
    const closeIfMoved = (event: Event) => placeOf(anchor.current) !== opened && closeUnlessInside(event)
    window.addEventListener('scroll', closeIfMoved, options)
    window.addEventListener('resize', close, options)
    return () => gone.abort()
  }, [popup, anchor, close])
}

function placeOf(element: HTMLElement | null): string {
  const { x, y } = element?.getBoundingClientRect() ?? {}
  return `${x} ${y}`
}

const GAP = 4

const EDGE = 8

/** Below the anchor and flush with one of its edges; above it, or shifted, where the window leaves no room. */
export function placePopup(popup: HTMLElement, anchor: HTMLElement, flush: 'left' | 'right'): void {
  const button = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popup
  const { clientWidth, clientHeight } = document.documentElement
  const below = button.bottom + GAP
  const top = below + height <= clientHeight - EDGE ? below : Math.max(EDGE, button.top - GAP - height)
  const wanted = flush === 'left' ? button.left : button.right - width
  const left = Math.min(Math.max(EDGE, wanted), clientWidth - EDGE - width)
  Object.assign(popup.style, { top: `${top}px`, left: `${Math.max(EDGE, left)}px` })
}
