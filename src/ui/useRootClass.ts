import { useCallback, useLayoutEffect, type RefCallback } from 'react'

/**
 * Something on the page that what lies outside of it must know of: an open dialog, one or a page that is printed alone, a bar at its head,
 * a screen that no thumb may load anew.
 */
type RootClass = 'has-dialog' | 'prints-dialog' | 'prints-page' | 'has-banner' | 'is-counter'

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

/** What stands at the foot of the window, from below: a bar of the page, the prompt of an update, toasts. */
type FootLayer = 'bar' | 'prompt' | 'toasts'

/** Between two of them, and around the upper ones. */
const GAP_PX = 12

const layers = new Map<HTMLElement, FootLayer>()

/**
 * Stacks what stands at the foot of the window, so that none lies over another: each begins above the layers below it (`--bar`,
 * `--prompt`). The page ends above the prompt and the toasts (`--overlaid`), so that nothing of it stays covered; where a bar is at
 * the foot (`has-foot-bar`), the room is above that.
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
      return () => {
        observer.disconnect()
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

/** Whether nothing fits under it: a short page ends with its bar, far above the foot of the window. */
function isAtFoot(bar: Element, overlaid: number): boolean {
  const room = Number.parseFloat(getComputedStyle(bar).marginTop)
  const keyboard = Number.parseFloat(document.documentElement.style.getPropertyValue('--keyboard')) || 0
  return bar.getBoundingClientRect().bottom - room + overlaid >= innerHeight - keyboard - 1
}

/** Whether a dialog, or the counter's view for the customer, lies over the page. */
export const isCovered = (): boolean => document.documentElement.classList.contains('has-dialog')
