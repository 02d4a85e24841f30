import { useLayoutEffect } from 'react'

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
