import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright'
import { signInByHand } from '../../support/accounts/signIn.ts'
import { median } from '../../support/server/responseTimes.ts'
import { row, type Comparison } from '../comparison.ts'
import { repeated, waitForQuietMachine } from '../measure.ts'
import { startBuildServer } from '../starts/buildServer.ts'
import { buildBaseline, merchantWithVouchers, PAINTED, slowDown, VOUCHERS, withPortal } from '../starts/openings.ts'

const CHANGES = 21
const FRAME = { baseline: 1_000 / 60, unit: 'ms', against: 'one frame of 60 a second' }
const MOST_ELEMENTS = { baseline: 500, unit: 'elements', against: 'what a table should stay below' }

/** The next page of the voucher table in the browser, slowed four times: in frames, and beside a bare table of the same stack. */
export async function comparePageChange(): Promise<Comparison[]> {
  const baseline = await buildBaseline()
  return withPortal(async (browser, origin) => {
    const page = await browser.newPage({ baseURL: origin.url })
    await signInByHand(page, await merchantWithVouchers(origin), '/vouchers')
    const asked = await changesOfBoth(page, (size) => showTable(page, size))
    const elements = await page.evaluate<number>("1 + document.querySelectorAll('table *').length")
    await page.close()
    const bareServer = await startBuildServer(baseline)
    const barePage = await browser.newPage()
    const bare = await changesOfBoth(barePage, async (size) => {
      await barePage.goto(`${bareServer.url}/vouchers?rows=${size}`)
      await barePage.locator('tbody tr').first().waitFor()
    })
    await bareServer.stop()
    return [
      ...rowsOf('ten rows', { asked: asked.ofTen, bare: bare.ofTen }),
      ...rowsOf('fifty rows', { asked: asked.ofFifty, bare: bare.ofFifty }),
      row('elements in the table of fifty rows', elements, MOST_ELEMENTS, '< 1.00'),
    ]
  })
}

async function changesOfBoth(page: Page, show: (size: number) => Promise<void>) {
  const changes = async (size: number) => {
    await show(size)
    return pageChanges(page)
  }
  const ofTen = await changes(10)
  return { ofTen, ofFifty: await changes(50) }
}

async function showTable(page: Page, size: number): Promise<void> {
  await page.goto(`/vouchers?size=${size}`)
  await page
    .getByText(`1–${size} of ${VOUCHERS.toLocaleString('en')}`)
    .first()
    .waitFor()
  await page.evaluate('navigator.serviceWorker.ready')
}

function rowsOf(rows: string, { asked, bare }: Record<'asked' | 'bare', PageChange>): Comparison[] {
  const title = `page change of ${rows} at 4x CPU`
  const ofBare = (what: keyof PageChange) => ({
    baseline: bare[what],
    unit: 'ms',
    against: `a bare React table of ${rows}`,
  })
  return [
    row(`${title}, press to next frame`, asked.press, FRAME, '≤ 1.00'),
    row(`${title}, answer to its rows on the screen`, asked.rows, FRAME),
    row(`${title}, script, style and layout from press to rows, asking included`, asked.step, FRAME),
    row(`${title}, work of the main thread`, asked.work, ofBare('work')),
  ]
}

/** In milliseconds. */
interface PageChange {
  /** From the press to the first frame after it. */
  press: number
  /** From the last byte of the answer (from the press, where nothing is asked) to the frame with the new rows. */
  rows: number
  /** Script, style and layout from the press to the frame with the new rows, asking for them included. */
  step: number
  /** Everything the page's own thread worked for it, what follows the rows included. */
  work: number
}

const SETTLED_MS = 400

/** Goes from page to page of the table that stands there, on a processor a quarter as fast; the middle of each number. */
async function pageChanges(page: Page): Promise<PageChange> {
  await waitForQuietMachine()
  const devtools = await slowDown(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const changes = await repeated(CHANGES, async (): Promise<PageChange> => {
    const before = await threadTime(devtools)
    const seen = await page.evaluate<Pick<PageChange, 'press' | 'rows'>>(CHANGE_PAGE)
    const shown = await threadTime(devtools)
    // What follows the rows, the write into the database of the device, is work as well.
    await sleep(SETTLED_MS)
    const after = await threadTime(devtools)
    return { ...seen, step: shown.step - before.step, work: after.work - before.work }
  })
  await devtools.detach()
  const middle = (of: keyof PageChange) => median(changes.map((one) => one[of]))
  return { press: middle('press'), rows: middle('rows'), step: middle('step'), work: middle('work') }
}

const STEP = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration']

/**
 * What the page's own thread has done so far, in milliseconds of the slowed processor, the same on a busy machine: everything, and
 * script, style and layout, which are without painting and the browser's own, and of this measuring only what runs in the page.
 */
async function threadTime(devtools: CDPSession): Promise<{ work: number; step: number }> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const sum = (names: readonly string[]) =>
    metrics.filter(({ name }) => names.includes(name)).reduce((total, { value }) => total + 1_000 * value, 0)
  return { work: sum(['TaskDuration']), step: sum(STEP) }
}

/** Runs in the page. */
const CHANGE_PAGE = `new Promise((resolve) => {
  ${PAINTED}
  const first = () => document.querySelector('tbody tr td')?.textContent
  const before = first()
  const isNew = () => first() && first() !== before
  performance.clearResourceTimings()
  const startedAt = performance.now()
  let press
  new MutationObserver((_, observer) => {
    if (!isNew()) return
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
  }, isNew)
  document.querySelector('[aria-label="Next page"]').click()
})`
