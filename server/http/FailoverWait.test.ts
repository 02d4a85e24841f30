import { expect, test, vi } from 'vitest'
import { DatabaseBusy, DatabaseUnavailable, unavailable } from '../db/engine/databaseError.ts'
import { FailoverWait } from './FailoverWait.ts'

const isThere = () => false

/** A server, and reads of its database, which is away from `goAway` on. */
function stage() {
  let [now, backAt, tries] = [0, 0, 0]
  const failover = new FailoverWait({ now: () => now, pause: async () => void (now += 200) })
  const read = async () => {
    tries += 1
    if (now < backAt) throw new DatabaseUnavailable('connect')
    return now
  }
  const triesOf = async (work: () => Promise<unknown>) => {
    const before = tries
    await work()
    return tries - before
  }
  const goAway = (ms: number) => void (backAt = now + ms)
  return { failover, read, triesOf, goAway, letPass: (ms: number) => void (now += ms) }
}

test('a read waits until a failover is over, and so does one of the next failover', async () => {
  const { failover, read, goAway } = stage()
  goAway(3_000)
  await expect(failover.read(read, isThere)).resolves.toBe(3_000)
  goAway(3_000)
  await expect(failover.read(read, isThere)).resolves.toBe(6_000)
})

test('in a longer outage it is told so after three and a half seconds, and the next ones at once', async () => {
  const { failover, read, triesOf, goAway } = stage()
  goAway(60_000)
  const isRefused = () => expect(failover.read(read, isThere)).rejects.toThrow(DatabaseUnavailable)
  expect(await triesOf(isRefused)).toBe(19)
  expect(await triesOf(isRefused)).toBe(1)
})

test('an answer that needs no database does not begin the wait anew', async () => {
  const { failover, read, triesOf, goAway } = stage()
  goAway(60_000)
  const isRefused = () => expect(failover.read(read, isThere)).rejects.toThrow(DatabaseUnavailable)
  await isRefused()
  await failover.read(() => Promise.resolve('the key for passwords'), isThere)
  expect(await triesOf(isRefused)).toBe(1)
})

test('an outage that nobody has met for three and a half seconds is over, so the next one is waited for', async () => {
  const { failover, read, goAway, letPass } = stage()
  goAway(10_000)
  await expect(failover.read(read, isThere)).rejects.toThrow(DatabaseUnavailable)
  letPass(10_000)
  const backAgain = 16_600
  goAway(3_000)
  await expect(failover.read(read, isThere)).resolves.toBe(backAgain)
})

test('what the database has said is said, and one that is too busy is not asked again', async () => {
  const { failover } = stage()
  const slow = Object.assign(new Error('timeout'), { code: '57014' })
  const busy = unavailable('query', new DatabaseBusy('connect'))
  for (const error of [new Error('no'), slow, busy]) {
    const read = vi.fn(() => Promise.reject(error))
    await expect(failover.read(read, isThere)).rejects.toBe(error)
    expect(read).toHaveBeenCalledOnce()
  }
})

test('nobody waits who has hung up', async () => {
  const { failover, read, triesOf, goAway } = stage()
  goAway(3_000)
  expect(await triesOf(() => expect(failover.read(read, () => true)).rejects.toThrow(DatabaseUnavailable))).toBe(1)
})
