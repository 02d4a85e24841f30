import { Dexie } from 'dexie'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'
import { HoldServer } from '../../../tests/support/redemptions/HoldServer.ts'
import type { TillWire } from '../../domain/TillWire.ts'
import { reportStorageFull } from '../storage/storageHealth.ts'
import { newHold } from './tillHold.ts'

installBrowserGlobals()
const { openTill, thisTill, tillDatabase, wakeTill } = await import('./openTill.ts')
/** The number of writes that the device still has room for. */
let writesLeft = Infinity
tillDatabase().use({
  stack: 'dbcore',
  name: 'full',
  create: (core) => ({
    ...core,
    table: (name) => {
      const table = core.table(name)
      const full = () => Dexie.Promise.reject(new Dexie.QuotaExceededError())
      return { ...table, mutate: (request) => ((writesLeft -= 1) < 0 ? full() : table.mutate(request)) }
    },
  }),
})

const [FIRST, SECOND, THIRD] = ['2000000000015', '2000000000022', '2000000000039'] as const
let server: HoldServer
let sent: string[]
/** Each function lets one waiting upload arrive at the server. */
let arrivals: (() => void)[]

const wire: TillWire = {
  verify: (request) => server.wire.verify(request),
  sync: async (rows, isBacklog) => {
    if (rows.some(({ became }) => became === 'redeemed')) {
      const stored = await tillDatabase().vouchers.bulkGet(rows.map(({ id }) => id))
      sent.push(...stored.map((row) => row!.serial))
      await new Promise<void>((resolve) => arrivals.push(resolve))
    }
    return server.wire.sync(rows, isBacklog)
  },
}
// As at a counter. Otherwise the check for the database could coincide with its creation.
await tillDatabase().open()
openTill(wire)

beforeEach(() => {
  server = new HoldServer()
  sent = []
  arrivals = []
})
afterEach(async () => {
  writesLeft = Infinity
  // The test files of one worker share the page's storage state.
  reportStorageFull(false)
  await tillDatabase().vouchers.clear()
})

/** Takes a voucher: the device has it confirmed, and the server holds it. */
async function take(serial: string): Promise<string> {
  const { row, secret_hash } = await newHold({ serial, owner: 'cashier', owner_name: 'till-1', till: 'device' }, 1)
  await server.wire.verify({ id: row.id, serial, secret_hash, till: row.till })
  await tillDatabase().vouchers.add({ ...row, state: 'confirmed', confirmedAt: Date.now() })
  return row.id
}
const arrive = async () => {
  await vi.waitFor(() => expect(arrivals).not.toEqual([]))
  arrivals.shift()!()
}
/** Lets uploads arrive until all of `ids` have their receipts. */
const uploaded = (ids: readonly string[]) =>
  vi.waitFor(async () => {
    arrivals.shift()?.()
    const states = await Promise.all(ids.map(stateOf))
    expect(states).toEqual(ids.map(() => 'receipted'))
  })
const stateOf = async (id: string) => (await tillDatabase().vouchers.get(id))?.state

describe('the uploads of a device', () => {
  it('include the vouchers that were taken during an upload', async () => {
    const ids = [await take(FIRST)]
    wakeTill(false)
    await vi.waitFor(() => expect(sent).toEqual([FIRST]))
    for (const serial of [SECOND, THIRD]) {
      ids.push(await take(serial))
      wakeTill(false)
    }
    await uploaded(ids)
    expect(sent).toEqual([FIRST, SECOND, THIRD])
  })

  it('are not overtaken by a void, which waits until the running upload has ended', async () => {
    const id = await take(FIRST)
    wakeTill(false)
    await vi.waitFor(() => expect(sent).toEqual([FIRST]))
    const till = await thisTill()
    const voided = till.voidRedeemed(id)
    await arrive()
    expect(await voided).toEqual({ is: 'voided' })
    expect(sent, 'the server was told once').toEqual([FIRST])
    expect(server.ledger).toMatchObject([{ id, voided: true }])
  })
})

const ask = async (serial: string = FIRST) =>
  (await thisTill()).verify({ serial, owner: 'cashier', owner_name: 'till-1', till: 'device' })

/** Verifies all of them, and returns the ids of their holds. */
async function fillTray(serials: readonly string[]): Promise<string[]> {
  for (const serial of serials) expect((await ask(serial)).is).toBe('held')
  return serials.map((serial) => server.holds.get(serial)!.id)
}
/** Confirms all of them and returns the results. */
async function tap(ids: readonly string[]) {
  const confirmed = await (await thisTill()).confirm(ids)
  return ids.map((id) => confirmed.get(id)?.is)
}

it('a second tap on Redeem gets the same result as the first, and never that nothing was redeemed', async () => {
  const ids = await fillTray([FIRST, SECOND])
  const taken = ['confirmed', 'confirmed']
  expect(await Promise.all([tap(ids), tap(ids)]), 'both at once').toEqual([taken, taken])
  expect(await tap(ids)).toEqual(taken)
  await uploaded(ids)
  expect(await tap(ids)).toEqual(taken)
  expect(sent).toEqual([FIRST, SECOND])
})

describe('on a full device', () => {
  const redeemed = async () => {
    const id = await take(FIRST)
    wakeTill(false)
    await arrive()
    await vi.waitFor(async () => expect(await stateOf(id)).toBe('receipted'))
    return id
  }

  it('a tray is redeemed as a whole or not at all, and Redeem can be pressed again', async () => {
    const ids = await fillTray([FIRST, SECOND, THIRD])
    writesLeft = 1
    expect(await tap(ids)).toEqual(['unstored', 'unstored', 'unstored'])
    expect(await Promise.all(ids.map(stateOf))).toEqual(['held', 'held', 'held'])
    writesLeft = Infinity
    expect(await tap(ids)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    await uploaded(ids)
  })

  it('giving a voucher back does not block the cashier, and its hold ends as soon as there is room', async () => {
    expect((await ask()).is).toBe('held')
    writesLeft = 0
    await (await thisTill()).cancel(server.holds.get(FIRST)!.id)
    writesLeft = Infinity
    await vi.waitFor(() => expect([...server.holds]).toEqual([]), { timeout: 10_000 })
  })

  it('a void is not sent, and can be tried again', async () => {
    const till = await thisTill()
    const id = await redeemed()
    writesLeft = 0
    expect(await till.voidRedeemed(id)).toEqual({ is: 'unstored' })
    expect(server.ledger).toMatchObject([{ id, voided: false }])
    writesLeft = Infinity
    expect(await till.voidRedeemed(id)).toEqual({ is: 'voided' })
  })

  it('a void without an answer is sent again by itself', async () => {
    const id = await redeemed()
    vi.spyOn(server.wire, 'sync').mockResolvedValueOnce({ kind: 'later', connectionFailed: true, message: 'no answer' })
    expect(await (await thisTill()).voidRedeemed(id)).toEqual({ is: 'no answer' })
    await vi.waitFor(async () => expect(await stateOf(id)).toBe('voided'), { timeout: 10_000 })
  })

  it('a void whose answer cannot be stored is stored later', async () => {
    const till = await thisTill()
    const id = await redeemed()
    const { sync } = server.wire
    vi.spyOn(server.wire, 'sync').mockImplementation((rows, isBacklog) => {
      writesLeft = 0
      return sync(rows, isBacklog)
    })
    expect(await till.voidRedeemed(id), 'as far as the disk knows').toEqual({ is: 'no answer' })
    vi.restoreAllMocks()
    writesLeft = Infinity
    wakeTill(true)
    await vi.waitFor(async () => expect(await stateOf(id)).toBe('voided'), { timeout: 10_000 })
  })
})
