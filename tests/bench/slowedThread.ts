import type { CDPSession, Page } from 'playwright'

/** What the page's own thread has done so far, in milliseconds of the slowed processor: the same on a busy machine. */
export interface ThreadTime {
  /** Everything. */
  work: number
  /** Script, style and layout: without painting and the browser's own, and of this measuring only what runs in the page. */
  step: number
}

export interface SlowedThread {
  time: () => Promise<ThreadTime>
  /** As fast again as it is. */
  release: () => Promise<void>
}

const STEP = new Set(['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'])

/** The thread of `page` on a processor a quarter as fast. */
export async function slowedThread(page: Page): Promise<SlowedThread> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return { time: () => timeOf(devtools), release: () => devtools.detach() }
}

async function timeOf(devtools: CDPSession): Promise<ThreadTime> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const sum = (isMeant: (name: string) => boolean) =>
    metrics.filter(({ name }) => isMeant(name)).reduce((total, { value }) => total + 1_000 * value, 0)
  return { work: sum((name) => name === 'TaskDuration'), step: sum((name) => STEP.has(name)) }
}
