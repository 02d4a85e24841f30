import { expect, test, vi } from 'vitest'
import { DatabaseBusy, DatabaseUnavailable, toUnavailable } from './databaseError.ts'
import { throughFailover } from './Primary.ts'

const isThere = () => false

/** Simulates reads of a database that is away after `goAway`, as its watch sees it. */
function stage() {
  let [now, awaySince, backAt, tries] = [0, 0, 0, 0]
  const isAway = () => now < backAt
  const database = {
    awayMs: () => (isAway() ? now - awaySince : 0),
    askPrimary: () =>
      isAway() ? Promise.reject(new DatabaseUnavailable('primary')) : Promise.resolve('writable' as const),
  }
  const clock = { now: () => now, pause: async () => void (now += 200) }
  const read = async () => {
    tries += 1
    if (isAway()) throw new DatabaseUnavailable('connect')
    return now
  }
  const triesOf = async (work: () => Promise<unknown>) => {
    const before = tries
    await work()
    return tries - before
  }
  const goAway = (ms: number) => void ([awaySince, backAt] = [now, now + ms])
  const wait = <T>(work: () => Promise<T>, isGone = isThere) => throughFailover(database, work, isGone, clock)
  return { read, wait, triesOf, goAway }
}

test('a read waits until a failover is over, and so does one of the next failover', async () => {
  const { wait, read, goAway } = stage()
  goAway(3_000)
  await expect(wait(read)).resolves.toBe(3_000)
  goAway(3_000)
  await expect(wait(read)).resolves.toBe(6_000)
})

test('in a longer outage it is told so after three and a half seconds, and the next ones at once', async () => {
  const { wait, read, triesOf, goAway } = stage()
  goAway(60_000)
  const isRefused = () => expect(wait(read)).rejects.toThrow(DatabaseUnavailable)
  expect(await triesOf(isRefused)).toBe(19)
  expect(await triesOf(isRefused)).toBe(1)
})

test('what the database has said is said, and one that is too busy is not asked again', async () => {
  const { wait } = stage()
  const slow = Object.assign(new Error('timeout'), { code: '57014' })
  const busy = toUnavailable('query', new DatabaseBusy('connect'))
  for (const error of [new Error('no'), slow, busy]) {
    const read = vi.fn(() => Promise.reject(error))
    await expect(wait(read)).rejects.toBe(error)
    expect(read).toHaveBeenCalledOnce()
  }
})

test('nobody waits who has hung up', async () => {
  const { wait, read, triesOf, goAway } = stage()
  goAway(3_000)
  expect(await triesOf(() => expect(wait(read, () => true)).rejects.toThrow(DatabaseUnavailable))).toBe(1)
})
