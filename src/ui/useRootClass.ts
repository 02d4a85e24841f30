import { useCallback, useLayoutEffect, type RefCallback } from 'react'

/**
 * A state that changes the style of the whole page: a dialog is open, a dialog or a page is printed alone, a bar is at the top, or
 * the counter is shown, which a pull must not reload.
 */
type RootClass = 'has-dialog' | 'prints-dialog' | 'prints-page' | 'prints-poster' | 'has-banner' | 'is-counter'

const counts = new Map<RootClass, number>()

/**
 * Sets a class on the root element while `isShown`. A rule with `body:has(…)` would make the browser restyle the whole document
 * whenever a row changes. On a slow device that costs two frames for each page of a table.
 */
export function useRootClass(rootClass: RootClass, isShown = true): void {
  useLayoutEffect(() => {
    if (!isShown) return
    changeCount(rootClass, 1)
    return () => changeCount(rootClass, -1)
  }, [rootClass, isShown])
}

function changeCount(rootClass: RootClass, change: 1 | -1) {
  const now = (counts.get(rootClass) ?? 0) + change
  counts.set(rootClass, now)
  document.documentElement.classList.toggle(rootClass, now > 0)
}

/** The kinds of elements at the bottom of the window, the lowest first: a bar of the page, the update prompt, toasts. */
type FootLayer = 'bar' | 'prompt' | 'toasts'

/** The gap between two layers, and around the upper ones. */
const GAP_PX = 12

const layers = new Map<HTMLElement, FootLayer>()

/**
 * Stacks the elements at the bottom of the window, so that none covers another. `--bar` and `--prompt` are the heights of the
 * lower layers. `--overlaid` is the height of prompt and toasts: the page leaves this room free at its end, or above its bar
 * (`has-foot-bar`).
 */
export const useFootLayer = (layer: FootLayer): RefCallback<HTMLElement> =>
  useCallback(
    (element) => {
      if (!element) return undefined
      layers.set(element, layer)
      const observer = new ResizeObserver(stackFoot)
      observer.observe(element)
      // A bar moves when the page around it grows.
      if (layer === 'bar' && element.parentElement) observer.observe(element.parentElement)
      if (layer === 'bar') observer.observe(document.body)
      // A window that only changes its height may resize no element.
      const controller = new AbortController()
      addEventListener('resize', () => stackFoot(), { signal: controller.signal })
      return () => {
        observer.disconnect()
        controller.abort()
        layers.delete(element)
        stackFoot()
      }
    },
    [layer],
  )

function stackFoot() {
  const { style, classList } = document.documentElement
  const tallest = (layer: FootLayer, heightOf: (element: HTMLElement) => number) =>
    Math.max(0, ...[...layers].filter(([, one]) => one === layer).map(([element]) => heightOf(element)))
  const withGap = ({ offsetHeight }: HTMLElement) => (offsetHeight > 0 ? offsetHeight + GAP_PX : 0)
  const prompt = tallest('prompt', withGap)
  const both = prompt + tallest('toasts', withGap)
  const overlaid = both > 0 ? both + GAP_PX : 0
  const bar = tallest('bar', (element) => (isAtFoot(element, overlaid) ? element.offsetHeight : 0))
  style.setProperty('--bar', `${bar}px`)
  style.setProperty('--prompt', `${prompt}px`)
  style.setProperty('--overlaid', `${overlaid}px`)
  classList.toggle('has-foot-bar', bar > 0)
}

/** True if the bar is at the bottom of the window. The bar of a short page is far above. */
function isAtFoot(bar: Element, overlaid: number): boolean {
  const room = Number.parseFloat(getComputedStyle(bar).marginTop)
  const keyboard = Number.parseFloat(document.documentElement.style.getPropertyValue('--keyboard')) || 0
  return bar.getBoundingClientRect().bottom - room + overlaid >= innerHeight - keyboard - 1
}

/** True if a dialog, or the counter's view for the customer, covers the page. */
export const isCovered = (): boolean => document.documentElement.classList.contains('has-dialog')
