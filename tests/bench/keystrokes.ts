import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { slowedThread, type ThreadTime } from './slowedThread.ts'

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
export interface Keystrokes extends ThreadTime {
  /** Milliseconds of each key. */
  times: readonly number[]
}

/** Types and deletes each text in the field that has the focus, on a processor a quarter as fast. */
export async function keystrokes(page: Page, texts: readonly string[]): Promise<Keystrokes> {
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
