import { useCallback, useLayoutEffect, type RefCallback } from 'react'

/** Something on the page that what lies outside of it must know of: an open dialog, one or a page that is printed alone, a bar at its foot or head. */
type RootClass = 'has-dialog' | 'prints-dialog' | 'prints-page' | 'has-form-foot' | 'has-counter' | 'has-banner'

const shown = new Map<RootClass, number>()

/**
 * Names on the root element what is shown now. `body:has(…)` says the same, but has the browser judge the style of the whole
 * document anew at every change of any row: at a quarter of the speed, two frames for each page of a table.
 */
export function useRootClass(mark: RootClass, isShown = true): void {
  useLayoutEffect(() => {
    if (!isShown) return
    count(mark, 1)
    return () => count(mark, -1)
  }, [mark, isShown])
}

function count(mark: RootClass, change: 1 | -1) {
  const now = (shown.get(mark) ?? 0) + change
  shown.set(mark, now)
  document.documentElement.classList.toggle(mark, now > 0)
}

const GAP_PX = 24

const heights = new Map<Element, number>()

/**
 * Of what lies over the foot of the page: the frames end above it, by `--overlaid`, so that no link or button there stays covered.
 * Where a bar has the foot (`has-form-foot`, `has-counter`) it lies above that.
 */
export const useRoomAtFoot = (): RefCallback<HTMLElement> =>
  useCallback((element) => {
    if (!element) return undefined
    const observer = new ResizeObserver(() => leaveRoom(element, element.offsetHeight))
    observer.observe(element)
    return () => {
      observer.disconnect()
      leaveRoom(element, 0)
    }
  }, [])

function leaveRoom(element: Element, height: number) {
  heights.set(element, height)
  if (height === 0) heights.delete(element)
  const room = heights.size > 0 ? Math.max(...heights.values()) + GAP_PX : 0
  document.documentElement.style.setProperty('--overlaid', `${room}px`)
}
