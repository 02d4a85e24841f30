import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { signInByHand } from '../../support/accounts/signIn.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { median } from '../../support/server/responseTimes.ts'
import { compareWithBareStack, inFrames, slowedThread, type ThreadTime } from '../besideBareStack.ts'
import type { Comparison } from '../comparison.ts'
import { waitForQuietMachine } from '../quietMachine.ts'

const OF_EACH = 5_000

/** First letters, names, a wrong letter, a name with a number, something that is not there: 10 to 5,000 of them match. */
const TYPED = ['tk', 'kalang wave', 'jurong', 'cashier 4321', 'e', 'brach 12', 'zqxv']

/** A key of the palette over 10,000 names in the browser, slowed four times, beside a key in a bare field of the same stack. */
export async function comparePalette(): Promise<Comparison[]> {
  // Without the worker, so that the long lists can stand in the place of the server's.
  const { ours, bare } = await compareWithBareStack({ product: ofPalette, bare: ofField, worker: 'block' })
  const row = (what: string, ms: number, goal?: string) =>
    inFrames(`palette of ${2 * OF_EACH} names at 4x CPU, ${what}`, ms, goal)
  return [
    row(`key to painted, median of ${ours.times.length}`, median(ours.times), '≤ 1.00'),
    row('key to painted, worst', Math.max(...ours.times), '≤ 1.00'),
    row('key to painted in a bare field, median', median(bare.times)),
    row('key to painted in a bare field, worst', Math.max(...bare.times)),
    row('script, style and layout for a key', ours.step, '≤ 1.00'),
    row('script, style and layout for a key in a bare field', bare.step),
    row('work of the main thread for a key', ours.work, '≤ 1.00'),
    row('work of the main thread for a key in a bare field', bare.work),
  ]
}

async function ofPalette(page: Page, origin: PortalOrigin): Promise<Keystrokes> {
  await answerLongLists(page)
  const { main } = await makeMerchant(origin.database.db)
  await signInByHand(page, main, '/dashboard')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('branch 4999')
  await page.getByRole('option').first().waitFor()
  await page.getByRole('combobox').fill('')
  await waitForQuietMachine()
  return keystrokes(page, TYPED)
}

async function ofField(page: Page, url: string): Promise<Keystrokes> {
  await page.goto(`${url}/login`)
  await page.locator('#email').focus()
  await waitForQuietMachine()
  return keystrokes(page, TYPED)
}

async function answerLongLists(page: Page) {
  const places = ['Toa Payoh Kiosk', 'Kallang Wave', 'Jurong East', 'Tampines Central', 'Bukit Batok', 'Ang Mo Kio Hub']
  const branches = Array.from({ length: OF_EACH }, (_, n) => ({
    guid: randomUUID(),
    name: `${places[n % places.length]} branch ${n}`,
  }))
  const tills = branches.map(({ guid, name }, n) => ({
    guid: randomUUID(),
    name: `cashier-${n}`,
    branch_guid: guid,
    branch_name: name,
  }))
  await page.route('**/api/filter/transaction/branch_list', (route) => route.fulfill({ json: { data: branches } }))
  await page.route('**/api/pos/list', (route) => route.fulfill({ json: { data: tills } }))
}

/**
 * Runs in the page, for the reason that `pageChange.ts` gives. From the time stamp of the key to the end of the first frame that
 * is painted after the page has handled it: React draws what a key changes before the event is over.
 */
const WATCH_KEYS = `(() => {
  window.keystrokes = []
  let pressedAt
  document.addEventListener('keydown', ({ timeStamp }) => { pressedAt = timeStamp }, { capture: true })
  document.addEventListener('input', () => {
    const from = pressedAt
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => window.keystrokes.push(performance.now() - from)
      port2.postMessage(0)
    })
  })
})()`

/** Not every key at the same place between two frames, as fingers are. */
const BETWEEN_MS = [83, 97, 71, 109, 89]

const SETTLED_MS = 400

/** With what the page's own thread did for one of them. */
interface Keystrokes extends ThreadTime {
  /** Milliseconds of each key. */
  times: readonly number[]
}

/** Types and deletes each text in the field that has the focus, on a processor a quarter as fast. */
async function keystrokes(page: Page, texts: readonly string[]): Promise<Keystrokes> {
  await page.evaluate(WATCH_KEYS)
  const thread = await slowedThread(page)
  await sleep(SETTLED_MS)
  const before = await thread.time()
  let pressed = 0
  for (const text of texts) {
    for (const key of [...text, ...Array.from(text, () => 'Backspace')]) {
      await page.keyboard.press(key === ' ' ? 'Space' : key)
      await sleep(BETWEEN_MS[pressed % BETWEEN_MS.length])
      pressed += 1
    }
  }
  await sleep(SETTLED_MS)
  const after = await thread.time()
  await thread.release()
  const times = await page.evaluate<number[]>('window.keystrokes')
  if (times.length !== pressed) throw new Error(`${pressed} keys were pressed, and ${times.length} were answered`)
  return { times, work: (after.work - before.work) / pressed, step: (after.step - before.step) / pressed }
}
