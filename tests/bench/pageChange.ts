import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { slowedThread } from './slowedThread.ts'

export interface PageChange {
  /** Milliseconds from the press to the first frame after it. */
  press: number
  /** From the last byte of the answer (from the press, where nothing is asked) to the frame with the new rows. */
  rows: number
  /** Script, style and layout from the press to the frame with the new rows, asking for them included. */
  step: number
  /** Everything the page's own thread worked for it, what follows the rows included. */
  work: number
}

const SETTLED_MS = 400

/**
 * Runs in the page. A text, since the TypeScript runner marks functions with a helper that the page does not have. A frame is
 * over when a message posted in its animation callback arrives.
 */
const CHANGE_PAGE = `new Promise((resolve) => {
  const first = () => document.querySelector('tbody tr td')?.textContent
  const before = first()
  const painted = (then) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    const withRows = first() && first() !== before
    port1.onmessage = () => then(performance.now(), withRows)
    port2.postMessage(0)
  })
  performance.clearResourceTimings()
  const startedAt = performance.now()
  let press
  new MutationObserver((_, observer) => {
    if (!first() || first() === before) return
    observer.disconnect()
    painted((at) => {
      const asked = performance.getEntriesByType('resource').findLast(({ name }) => name.includes('/datatable'))
      resolve({ press: press - startedAt, rows: at - (asked?.responseEnd ?? startedAt) })
    })
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
  // Asked for before the press: of that frame, and not of what the page does once it is painted.
  painted((at, withRows) => {
    press = at
    if (withRows) resolve({ press: press - startedAt, rows: press - startedAt })
  })
  document.querySelector('[aria-label="Next page"]').click()
})`

/** Goes from page to page of the table that stands there, on a processor a quarter as fast; the middle of each number. */
export async function pageChanges(page: Page, times: number): Promise<PageChange> {
  const thread = await slowedThread(page)
  const changes: PageChange[] = []
  for (let change = 0; change < times; change += 1) {
    const before = await thread.time()
    const seen = await page.evaluate<Pick<PageChange, 'press' | 'rows'>>(CHANGE_PAGE)
    const shown = await thread.time()
    // What follows the rows, the write into the database of the device, is work as well.
    await sleep(SETTLED_MS)
    const after = await thread.time()
    changes.push({ ...seen, step: shown.step - before.step, work: after.work - before.work })
  }
  await thread.release()
  const middle = (of: keyof PageChange) =>
    changes.map((one) => one[of]).toSorted((a, b) => a - b)[times >> 1] ?? Number.NaN
  return { press: middle('press'), rows: middle('rows'), step: middle('step'), work: middle('work') }
}
