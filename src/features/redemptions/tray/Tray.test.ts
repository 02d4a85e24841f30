import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { HoldServer } from '../../../../tests/support/redemptions/HoldServer.ts'
import { withCheckDigit } from '../../../domain/vouchers.ts'
import type { Offer, OfferResult } from '../../../offline/allowance/Acceptance.ts'
import { Till } from '../../../offline/redemptions/Till.ts'
import { readTillRows } from '../../../offline/redemptions/tillRows.ts'
import { TillDatabase, type TillRow } from '../../../offline/store/till.ts'
import { chosenRows, Tray, sumOfRows, type TrayPorts } from './Tray.ts'

const serialOf = (n: number) => withCheckDigit(`2${String(n).padStart(11, '0')}`)

const PIN = '104482'

/** A counter with the real till behind its tray, its own database, and a model of the server. Every voucher is worth $10. */
function counter({ needsPin = false, database = new TillDatabase(`till-${randomUUID()}`) } = {}) {
  const server = new HoldServer()
  const state = { isDown: false, isFull: false, wrongPins: 0, now: server.now, bill: undefined as unknown }
  const offered: { now: OfferResult } = { now: { is: 'none' } }
  const till = new Till({
    database,
    wire: {
      ...server.wire,
      verify: async (asking) => {
        if (state.isDown) return { kind: 'later', connectionFailed: true, message: '' }
        if (needsPin && asking.pin !== PIN) {
          state.wrongPins += 1
          return { kind: 'refused', refused: { code: 'PIN_WRONG', message: '', data: {} } }
        }
        return server.wire.verify(asking)
      },
    },
    clocks: { wall: () => state.now, monotonic: () => state.now },
    locks: { lock: async () => true, unlock: () => undefined, readLockedIds: async () => new Set() },
    withRoom: async (write) => {
      if (state.isFull) throw new DOMException('full', 'QuotaExceededError')
      return write()
    },
    wake: () => undefined,
    sendNow: async () => undefined,
  })
  const confirm = vi.spyOn(till, 'confirm')
  let answered: Promise<void> | undefined
  /** Delays the server's answer to the next act, until the returned function is called. */
  const awaitAnswer = () => {
    let answer = () => undefined as void
    answered = new Promise((resolve) => (answer = resolve))
    return () => answer()
  }
  const ports: TrayPorts = {
    till: async () => till,
    offerAtRisk: async () => offered.now,
    // The disk has room for this one only.
    acceptAtRisk: async ({ serial }) => ({ is: 'accepted', row: { id: serial } as TillRow }),
    isDown: () => state.isDown,
    openRows: async () =>
      (await readTillRows(database)).filter(({ state: at }) => at === 'held' || at === 'asking').length,
    untilAnswered: async () => answered,
    bill: {
      read: () => state.bill as ReturnType<TrayPorts['bill']['read']>,
      write: (bill) => void (state.bill = bill),
    },
  }
  const cashier = { owner: 'cashier', owner_name: 'till-1', till: randomUUID(), branch: 'branch', needsPin }
  const open = () => new Tray(cashier, ports)
  return { server, state, offered, confirm, database, tray: open(), open, awaitAnswer }
}

const words = (tray: Tray) => tray.state().rows.map(({ is }) => is)

/** Waits until all answers have come. */
const settled = (tray: Tray) =>
  vi.waitFor(() => {
    expect(words(tray)).not.toContain('checking')
    expect(tray.state().isActing).toBe(false)
  })

async function scanAll(tray: Tray, ...serials: number[]) {
  for (const serial of serials) tray.scan(serialOf(serial))
  await settled(tray)
}

const statesOnDisk = async (database: TillDatabase) =>
  (await readTillRows(database)).map(({ state }) => state).toSorted()

describe('a tray', () => {
  it('checks each scan at once, and redeems all that are good in one act', async () => {
    const { tray, server, confirm, database } = counter()
    server.ledger.push({ id: 'before', serial: serialOf(3), hash: '', at: 0, voided: false })
    await scanAll(tray, 1, 2, 3)
    expect(words(tray)).toEqual(['good', 'good', 'refused'])
    await tray.redeem()
    expect(confirm).toHaveBeenCalledTimes(1)
    expect(await statesOnDisk(database)).toEqual(['confirmed', 'confirmed', 'gone'])
    expect(tray.state()).toMatchObject({ rows: [], redeemed: { ids: [expect.any(String), expect.any(String)] } })
  })

  it('has a voucher once, however often it is scanned, also while it is being checked', async () => {
    const { tray, server } = counter()
    await scanAll(tray, 1, 1, 1)
    expect(words(tray)).toEqual(['good'])
    expect(tray.state().rescan?.times).toBe(2)
    expect(server.holds.size).toBe(1)
  })

  it('keeps what could not be redeemed with its reason, and takes the rest', async () => {
    const { tray, state, database } = counter()
    await scanAll(tray, 1)
    state.now += 6 * 60_000
    await scanAll(tray, 2)
    state.now += 5 * 60_000
    await tray.redeem()
    expect(tray.state()).toMatchObject({
      rows: [{ is: 'not checked', why: 'over' }],
      redeemed: { ids: [expect.any(String)] },
    })
    expect(await statesOnDisk(database)).toEqual(['cancelling', 'confirmed'])
    tray.closeVerdict()
    expect(words(tray)).toEqual(['not checked'])
  })

  it('redeems nothing on a full disk, and keeps all', async () => {
    const { tray, state } = counter()
    await scanAll(tray, 1, 2)
    state.isFull = true
    await tray.redeem()
    expect(tray.state()).toMatchObject({ isUnstored: true, redeemed: undefined, isActing: false })
    expect(words(tray)).toEqual(['good', 'good'])
    state.isFull = false
    await tray.redeem()
    expect(tray.state().redeemed?.ids).toHaveLength(2)
  })

  it('asks again about what nothing answered for, when it is scanned again', async () => {
    const { tray, state } = counter()
    state.isDown = true
    await scanAll(tray, 1)
    expect(tray.state().rows).toMatchObject([{ is: 'not checked', why: 'connectivity' }])
    state.isDown = false
    // The cancel of the first hold is still on its way.
    await scanAll(tray, 1)
    expect(words(tray)).toEqual(['good'])
  })

  it('forgets what could not be read with the next scan', async () => {
    const { tray } = counter()
    tray.scan('https://example.sg/menu')
    expect(words(tray)).toEqual(['unread'])
    await scanAll(tray, 1)
    expect(words(tray)).toEqual(['good'])
  })

  it('holds no more than a till may', async () => {
    const { tray, server } = counter()
    for (let n = 1; n <= 16; n += 1) await scanAll(tray, n)
    expect(words(tray).filter((is) => is === 'good')).toHaveLength(15)
    expect(words(tray).at(-1)).toBe('full')
    expect(server.holds.size).toBe(15)
  })

  it('is the next customer’s from the first scan after a verdict', async () => {
    const { tray } = counter()
    await scanAll(tray, 1)
    tray.setBill(2_740)
    await tray.redeem()
    await scanAll(tray, 2)
    expect(tray.state()).toMatchObject({ redeemed: undefined, bill: undefined })
    expect(words(tray)).toEqual(['good'])
  })
})

describe('a voucher that could not be stored while another one was accepted', () => {
  it('is given back when the next customer’s first is scanned', async () => {
    const { tray, state, offered, database } = counter()
    await scanAll(tray, 1)
    state.isDown = true
    offered.now = { is: 'offer', offer: { serial: serialOf(2), denomination_cents: 1_000 } as Offer }
    await scanAll(tray, 2)
    state.isFull = true
    await tray.redeem()
    expect(tray.state()).toMatchObject({ rows: [{ is: 'good' }], redeemed: { ids: [serialOf(2)] } })
    state.isFull = false
    await scanAll(tray, 3)
    const first = async () => (await readTillRows(database)).find(({ serial }) => serial === serialOf(1))
    await vi.waitFor(async () => expect(await first()).toMatchObject({ state: 'cancelling' }))
  })
})

describe('the bill of a tray', () => {
  it('leaves out what it does not need, and gives that back with the act', async () => {
    const { tray, database } = counter()
    await scanAll(tray, 1, 2, 3)
    tray.setBill(500)
    expect(sumOfRows(chosenRows(tray.state()))).toBe(1_000)
    expect(chosenRows(tray.state()).map(({ serial }) => serial)).toEqual([serialOf(1)])
    await tray.redeem()
    expect(tray.state()).toMatchObject({ rows: [], redeemed: { bill: 500 } })
    await vi.waitFor(async () =>
      expect(await statesOnDisk(database)).toEqual(['cancelling', 'cancelling', 'confirmed']),
    )
  })

  it('is there again with its vouchers after a dead battery, and never for another customer', async () => {
    const { tray, open } = counter()
    await scanAll(tray, 1, 2)
    tray.setBill(500)
    const later = open()
    await later.takeUp()
    expect(later.state()).toMatchObject({ bill: 500, rows: [{ is: 'good' }, { is: 'good' }] })
    later.clear()
    await scanAll(later, 3)
    const nextCustomer = open()
    await nextCustomer.takeUp()
    expect(nextCustomer.state().bill).toBeUndefined()
  })

  it('stays for its customer when holds have ended after a reload', async () => {
    const { tray, open, state } = counter()
    await scanAll(tray, 1)
    tray.setBill(4_000)
    const reloaded = open()
    await reloaded.takeUp()
    state.now += 11 * 60_000
    await reloaded.endHolds()
    await scanAll(reloaded, 2)
    expect(reloaded.state()).toMatchObject({ bill: 4_000 })
  })

  it('ends at midnight with vouchers that nobody can redeem any more, and not under a customer', async () => {
    const { tray, state } = counter()
    try {
      vi.setSystemTime('2026-11-27T15:59:00Z')
      await scanAll(tray, 1)
      tray.setBill(4_000)
      vi.setSystemTime('2026-11-27T16:01:00Z')
      await scanAll(tray, 2)
      expect(tray.state()).toMatchObject({ bill: 4_000, rows: [{ is: 'good' }, { is: 'good' }] })
      state.now += 11 * 60_000
      await tray.endHolds()
      vi.setSystemTime('2026-11-28T01:00:00Z')
      await scanAll(tray, 3)
      expect(tray.state(), 'the same day').toMatchObject({ bill: 4_000 })
      state.now += 11 * 60_000
      await tray.endHolds()
      vi.setSystemTime('2026-11-29T01:00:00Z')
      await scanAll(tray, 4)
      expect(tray.state()).toMatchObject({ bill: undefined, rows: [{ is: 'good', serial: serialOf(4) }] })
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a page that is loaded anew while the answer to its act is awaited', () => {
  it('finds neither the paid bill nor a voucher that it did not need', async () => {
    const { tray, open, awaitAnswer, database } = counter()
    await scanAll(tray, 1, 2)
    tray.setBill(500)
    const answer = awaitAnswer()
    const act = tray.redeem()
    await vi.waitFor(async () => expect(await statesOnDisk(database)).toEqual(['cancelling', 'confirmed']))
    const later = open()
    await later.takeUp()
    expect(later.state()).toMatchObject({ rows: [], bill: undefined })
    answer()
    await act
    expect(tray.state().redeemed?.ids).toHaveLength(1)
  })
})

describe('a branch with a PIN', () => {
  it('is asked for it once a tray, and a wrong one counts once however many vouchers wait', async () => {
    const { tray, state } = counter({ needsPin: true })
    await scanAll(tray, 1, 2, 3)
    expect(words(tray)).toEqual(['pin', 'pin', 'pin'])
    await tray.enterPin('000000')
    await settled(tray)
    expect(words(tray)).toEqual(['pin', 'pin', 'pin'])
    expect(state.wrongPins).toBe(1)
    await tray.enterPin(PIN)
    await settled(tray)
    await scanAll(tray, 4)
    expect(words(tray)).toEqual(['good', 'good', 'good', 'good'])
    expect(state.wrongPins).toBe(1)
    tray.clear()
    await scanAll(tray, 5)
    expect(words(tray), 'the next customer is asked about anew').toEqual(['pin'])
  })

  it('is told of a wrong one once, also after a voucher that no server was asked about', async () => {
    const { tray, state } = counter({ needsPin: true })
    await scanAll(tray, 1)
    await tray.enterPin(PIN)
    await settled(tray)
    await tray.redeem()
    await scanAll(tray, 1, 2, 3, 4)
    await tray.enterPin('000000')
    await settled(tray)
    expect(words(tray)).toEqual(['known', 'pin', 'pin', 'pin'])
    expect(state.wrongPins).toBe(1)
  })
})
