import { expect, it, vi } from 'vitest'
import { BoundedQueue, type Limits } from './BoundedQueue.ts'
import { Refusal } from './Refusal.ts'

/** A queue whose pieces of work end when the test says so. */
function stoppedQueue(limits: Limits) {
  const queue = new BoundedQueue(limits)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (name: string, key?: string, isGone = () => false) =>
    queue.run(
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      { ...(key === undefined ? {} : { key }), isGone },
    )
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (name: string) => {
    await settle()
    ends.get(name)!()
    await settle()
  }
  return { queue, begun, begin, end, settle }
}

const BUSY = { code: 'SERVER_BUSY' }

it('gives the places to who came first, and refuses who finds no room to wait', async () => {
  const { queue, begun, begin, end, settle } = stoppedQueue({ atOnce: 2, waiting: 2 })
  const all = ['a', 'b', 'c', 'd'].map((name) => begin(name))
  await settle()
  expect(begun).toEqual(['a', 'b'])
  expect(queue.state()).toEqual({ running: 2, waiting: 2 })
  await expect(begin('e')).rejects.toMatchObject(BUSY)
  expect(() => queue.refuseWhenFull()).toThrow(expect.objectContaining(BUSY))
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  expect(() => queue.refuseWhenFull()).not.toThrow()
  for (const name of ['a', 'c', 'd']) await end(name)
  await Promise.all(all)
  expect(queue.state()).toEqual({ running: 0, waiting: 0 })
})

it('lets keys take turns: who asks for much does not keep another waiting for all of it', async () => {
  const { begun, begin, end } = stoppedQueue({ atOnce: 1, waiting: 10 })
  const all = [...[1, 2, 3, 4].map((n) => begin(`much${n}`, 'much')), begin('little', 'little')]
  for (const name of ['much1', 'much2', 'little', 'much3', 'much4']) await end(name)
  await Promise.all(all)
  expect(begun).toEqual(['much1', 'much2', 'little', 'much3', 'much4'])
})

it('leaves places to others when one key has as many as it may, and gives its next work a place when it has one', async () => {
  const { begun, begin, end, settle } = stoppedQueue({ atOnce: 3, ofOneKey: 2, waiting: 10 })
  const all = [...[1, 2, 3].map((n) => begin(`a${n}`, 'a')), begin('b1', 'b')]
  await settle()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  for (const name of ['a2', 'a3']) await end(name)
  await Promise.all(all)
})

it('throws its own refusal to a key that has all it may, where nobody may wait', async () => {
  const refusal = new Refusal('TOO_MANY_REPORTS')
  const queue = new BoundedQueue({ ofOneKey: 1, waiting: 0, refusal })
  const leave = await queue.take({ key: 'a' })
  await expect(queue.take({ key: 'a' })).rejects.toBe(refusal)
  await queue.take({ key: 'b' })
  leave()
  // Leaving a second time does not free the place that another caller has taken by now.
  const next = await queue.take({ key: 'a' })
  leave()
  await expect(queue.take({ key: 'a' })).rejects.toBe(refusal)
  next()
})

it('does not begin what nobody waits for any more, and keeps no place for work that failed', async () => {
  const { queue, begun, begin, end } = stoppedQueue({ atOnce: 1, waiting: 2 })
  const done = begin('a')
  const gone = begin('b', undefined, () => true)
  await Promise.all([expect(gone).rejects.toMatchObject(BUSY), end('a')])
  await done
  await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(queue.state()).toEqual({ running: 0, waiting: 0 })
  expect(begun).toEqual(['a'])
})

it('sends away who has waited too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { queue, begun, begin, end } = stoppedQueue({ atOnce: 1, waiting: 2, longestMs: 500 })
    const done = begin('a')
    const [late, later] = [begin('b'), begin('c')]
    vi.advanceTimersByTime(499)
    expect(queue.state().waiting).toBe(2)
    await end('a')
    const refused = later.catch((error: unknown) => error)
    vi.advanceTimersByTime(1)
    expect(await refused).toMatchObject(BUSY)
    await end('b')
    await Promise.all([done, late])
    expect(begun).toEqual(['a', 'b'])
    expect(queue.state()).toEqual({ running: 0, waiting: 0 })
  } finally {
    vi.useRealTimers()
  }
})

it('spreads those who were refused, as quickly as places came free while others waited', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  try {
    const queue = new BoundedQueue({ atOnce: 1, waiting: Infinity })
    expect(queue.secondsUntilRetry()).toBeLessThan(1)
    for (let n = 1; n < 1_000; n += 1) queue.secondsUntilRetry()
    // The queue assumes a hundred a second until it has measured.
    expect(queue.secondsUntilRetry()).toBeCloseTo(10, 0)
    for (let n = 0; n < 10_000; n += 1) queue.secondsUntilRetry()
    expect(queue.secondsUntilRetry()).toBe(60)

    let at = 0
    const work = () => void clock.mockReturnValue((at += 2))
    await Promise.all(Array.from({ length: 5_000 }, () => queue.run(work)))
    clock.mockReturnValue(100_000)
    for (let n = 1; n < 1_000; n += 1) queue.secondsUntilRetry()
    expect(queue.secondsUntilRetry()).toBeCloseTo(2, 1)
  } finally {
    clock.mockRestore()
  }
})
