import type { AnyRouter } from '@tanstack/react-router'

/** After one of these events the user is at work, and the focus must not move. */
const AT_WORK = ['pointerdown', 'keydown'] as const

let stop = () => {}

/**
 * Moves the focus to the heading after a change of page, so that a screen reader says the new page and the keyboard continues
 * there. On the first page the focus does not move, and a field that takes the focus itself keeps it.
 */
export function focusNewPages(router: AnyRouter): void {
  router.subscribe('onBeforeNavigate', () => stop())
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    if (fromLocation && pageOf(fromLocation) !== pageOf(toLocation)) focusHeading()
  })
}

/** My day is a page of its own under the counter's address; on other addresses the query is a state of the same page. */
const pageOf = ({ pathname, search }: AnyRouter['latestLocation']): string =>
  pathname === '/redeem' && 'view' in search ? `${pathname} ${search.view}` : pathname

/** Waits for a heading: some pages show it once they have their data, or replace the heading of a skeleton. */
function focusHeading() {
  const before = document.activeElement
  const tryFocus = () => {
    const current = document.activeElement
    if (current !== before && current !== document.body) return
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading || heading === current || isField(current)) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(tryFocus)
  stop = () => {
    observer.disconnect()
    for (const kind of AT_WORK) document.removeEventListener(kind, stop, { capture: true })
  }
  for (const kind of AT_WORK) document.addEventListener(kind, stop, { capture: true })
  observer.observe(document.body, { childList: true, subtree: true })
  tryFocus()
}

const isField = (element: Element | null) =>
  element?.closest('main')?.contains(element) && element.matches('input, select, textarea')
