import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AllowanceGrant } from '../../contract/redemptions/allowance.ts'
import type { SyncOutcome, SyncRow } from '../../contract/redemptions/sync.ts'
import type { TillWire } from '../../domain/TillWire.ts'
import { sendDue } from '../queue.ts'
import { Till } from '../redemptions/Till.ts'
import { newHold } from '../redemptions/tillHold.ts'
import { tillQueueRules } from '../redemptions/tillQueueRules.ts'
import { readTillRow, readTillRows, unsentTillRows } from '../redemptions/tillRows.ts'
import { TillDatabase, type TillRow } from '../store/till.ts'
import { Acceptance, type AcceptancePorts, type Offer } from './Acceptance.ts'
import {
  startAllowanceRequest,
  clearTillVouchers,
  storeAllowanceAnswer,
  checkAllowanceClock,
  readAllowance,
} from './allowance.ts'

const [FIRST, SECOND, THIRD] = ['2000000000015', '2000000000022', '2000000000039'] as const
const TILL = '0190c3b0-0000-7000-8000-000000000001'
const BRANCH = '0190c3b0-0000-7000-8000-000000000002'
const CASHIER = { owner: '0190c3b0-0000-7000-8000-000000000003', owner_name: 'till-1', till: TILL }
const HOUR = 3_600_000
const START = Date.parse('2026-11-22T04:20:00Z')

let database: TillDatabase
/** The wall clock, and the time since the page was opened. */
let wall: number
let monotonic: number
let worth: number
let uploads: (readonly SyncRow[])[]
let outcomes: Partial<Record<string, SyncOutcome>>
let wake: number

beforeEach(() => {
  database = new TillDatabase(`till-${randomUUID()}`)
  wall = START
  monotonic = 0
  worth = 1_000
  uploads = []
  outcomes = {}
  wake = 0
})
afterEach(() => database.delete())

const prove: AcceptancePorts['prove'] = async (code, { today }) => {
  const [kind, serial = ''] = code.split(' ')
  if (kind === 'forged') return { is: 'not', why: 'forged' }
  if (kind === 'spent') return { is: 'not', why: 'spent' }
  if (kind === 'unready') return { is: 'not', why: 'lists' }
  return today > '2026-11-22'
    ? { is: 'not', why: 'expired' }
    : { is: 'genuine', serial, denomination_cents: worth, expires_on: '2026-11-22' }
}

const newPage = (changed: Partial<AcceptancePorts> = {}) =>
  new Acceptance({
    database,
    clocks: { wall: () => wall, monotonic: () => monotonic },
    withRoom: async (write) => write(),
    wake: () => (wake += 1),
    prove,
    ...changed,
  })

async function granted(changed: Partial<AllowanceGrant> = {}): Promise<AllowanceGrant> {
  const asked_at = wall
  const { requestNumber } = await startAllowanceRequest(database)
  const grant: AllowanceGrant = {
    id: randomUUID(),
    secret: 'S'.repeat(43),
    branch: BRANCH,
    voucher_cents: 1_000,
    till_cents: 3_000,
    total_cents: 3_000,
    issued_at: new Date(START).toISOString(),
    ends_at: new Date(START + 4 * HOUR).toISOString(),
    ...changed,
  }
  await storeAllowanceAnswer(database, { requestNumber, asked_at, answer: { grant, why: null } }, wall)
  return grant
}

const scan = (serial: string, kind = 'signed') => ({ ...CASHIER, serial, code: `${kind} ${serial}` })

const offered = async (page: Acceptance, serial: string, kind?: string) => {
  const answer = await page.offerAtRisk(scan(serial, kind), BRANCH)
  return answer.is === 'not' ? answer.why : answer.is
}

async function offer(page: Acceptance, serial: string): Promise<Offer> {
  const answer = await page.offerAtRisk(scan(serial), BRANCH)
  if (answer.is !== 'offer') throw new Error('not offered')
  return answer.offer
}

async function accept(page: Acceptance, serial: string): Promise<TillRow> {
  const accepted = await page.accept(await offer(page, serial))
  if (accepted.is !== 'accepted') throw new Error('not accepted')
  return accepted.row
}

const wire: TillWire = {
  verify: () => Promise.reject(new Error('no verify expected')),
  sync: async (rows) => {
    uploads.push(rows)
    const later: SyncOutcome = { state: 'later', retry_after_seconds: 60 }
    return { kind: 'done', answer: rows.map((row) => ('code' in row && outcomes[row.code.split(' ')[1]!]) || later) }
  },
}
const send = async () => {
  const kind = tillQueueRules({ database, wire, now: () => wall, random: () => 0.5 })
  await sendDue(kind, { isAlone: true, withPaused: true, stopped: new AbortController().signal })
}

describe('a voucher that the server cannot check', () => {
  it('is not accepted without a grant, with a grant of another branch, or without a signature', async () => {
    const page = newPage()
    expect(await offered(page, FIRST)).toBe('none')
    await granted({ branch: randomUUID() })
    expect(await offered(page, FIRST)).toBe('none')
    await granted()
    const { code: _, ...unsigned } = scan(FIRST)
    expect(await page.offerAtRisk(unsigned, BRANCH)).toMatchObject({ is: 'not', why: 'unsigned' })
  })

  it('is not accepted without a proof, and the reason is given', async () => {
    await granted()
    const page = newPage()
    expect(await offered(page, FIRST, 'forged')).toBe('forged')
    expect(await offered(page, FIRST, 'spent')).toBe('spent')
    expect(await offered(page, FIRST, 'unready')).toBe('lists')
    const another = { ...scan(FIRST), code: `signed ${SECOND}` }
    expect(await page.offerAtRisk(another, BRANCH)).toMatchObject({ why: 'forged' })
  })

  it('is accepted once on this device, counted, and reported with the secret of its grant', async () => {
    const grant = await granted()
    const page = newPage()
    const row = await accept(page, FIRST)
    expect(row).toMatchObject({ state: 'accepted', serial: FIRST, accepted: { grant: grant.id } })
    expect(wake).toBe(1)
    expect(await offered(page, FIRST)).toBe('known')
    await accept(page, SECOND)
    expect(await readAllowance(database)).toMatchObject({ total_cents: 2_000 })
    expect(await unsentTillRows(database), 'the badge and a logout count them').toHaveLength(2)
    await send()
    const report = { became: 'accepted', grant: grant.id, secret: grant.secret, pos_user: CASHIER.owner }
    expect(uploads[0]).toMatchObject([{ ...report, id: row.id, code: `signed ${FIRST}` }, report])
  })

  it('is accepted up to the limits per voucher and per till, also by several pages at once', async () => {
    await granted()
    const pages = [newPage(), newPage()] as const
    worth = 1_001
    expect(await offered(pages[0], FIRST)).toBe('voucher')
    worth = 1_000
    await accept(pages[0], FIRST)
    const offers = [await offer(pages[0], SECOND), await offer(pages[1], THIRD), await offer(pages[1], SECOND)]
    const all = await Promise.all(offers.map((one, at) => pages[at % 2]!.accept(one)))
    expect(all.filter(({ is }) => is === 'accepted')).toHaveLength(2)
    expect(await readAllowance(database)).toMatchObject({ total_cents: 3_000 })
    expect(await offered(pages[0], '2000000000046')).toBe('till')
    expect(await readTillRows(database)).toHaveLength(3)
  })

  it('is not accepted after the end of the grant, even with an earlier offer', async () => {
    await granted()
    const page = newPage()
    const early = await offer(page, FIRST)
    wall += 4 * HOUR
    monotonic += 4 * HOUR
    expect(await page.accept(early)).toMatchObject({ is: 'not', why: 'ended' })
    expect(await offered(page, FIRST)).toBe('ended')
    expect(await readTillRows(database)).toEqual([])
  })

  it('is not accepted after the clock was turned back, on any page, until the next grant', async () => {
    await granted()
    const page = newPage()
    expect(await offered(page, FIRST)).toBe('offer')
    wall += 3 * HOUR
    monotonic += 3 * HOUR
    wall -= HOUR
    expect(await offered(page, FIRST)).toBe('clock')
    monotonic = 0
    expect(await offered(newPage(), FIRST), 'after a reload').toBe('clock')
    wall += 1.9 * HOUR
    expect(await offered(newPage(), FIRST), 'later than before it was turned back').toBe('clock')
    await granted({
      issued_at: new Date(START + 3 * HOUR).toISOString(),
      ends_at: new Date(START + 7 * HOUR).toISOString(),
    })
    expect(await offered(newPage(), FIRST), 'a grant brings the right time').toBe('offer')
    wall += HOUR
    const pageAfter = { wall: () => wall, monotonic: () => monotonic }
    await checkAllowanceClock(database, pageAfter)
    wall -= HOUR
    expect(await offered(newPage(), FIRST), 'turned back while no page was open').toBe('clock')
    wall += 2 * HOUR
    expect(await offered(newPage(), FIRST)).toBe('clock')
  })

  it('is refused with the reason why nothing was granted, but without one if the shop has set no rules', async () => {
    for (const why of ['count behind', 'revoked', 'no rules'] as const) {
      const { requestNumber } = await startAllowanceRequest(database)
      await storeAllowanceAnswer(database, { requestNumber, asked_at: wall, answer: { grant: null, why } }, wall)
      expect(await offered(newPage(), FIRST)).toBe(why === 'no rules' ? 'none' : why)
    }
  })

  it('is reported with the server’s time of the acceptance, however wrong the device’s clock is', async () => {
    wall = START - 50 * HOUR
    await granted()
    wall += 60_000
    const { accepted } = await accept(newPage(), FIRST)
    expect(accepted?.tapped_at).toBe(new Date(START + 60_000).toISOString())
  })
})

/** The server's answer to a verify. */
type Verified = Awaited<ReturnType<TillWire['verify']>>

/** The till of another tab, with its own connection to the server. */
const newTill = (verify: () => Promise<Verified>) =>
  new Till({
    database,
    wire: { ...wire, verify },
    clocks: { wall: () => wall, monotonic: () => monotonic },
    locks: { lock: async () => true, unlock: () => undefined, readLockedIds: async () => new Set() },
    withRoom: async (write) => write(),
    wake: () => undefined,
    sendNow: async () => undefined,
  })

const good = (serial: string): Verified => {
  const instant = new Date(wall).toISOString()
  const hold = { id: randomUUID(), till: 'Till 1', since: instant, ends: instant }
  return { kind: 'done', answer: { serial, denomination_cents: 1_000, expires_on: '2026-11-22', hold } }
}

describe('a voucher whose redemption is being voided', () => {
  it('is not accepted before the server’s outcome, because the redemption may have arrived', async () => {
    await granted()
    const { row } = await newHold(scan(FIRST), wall)
    await database.vouchers.put({ ...row, state: 'cancelling', sent: true, voidingAt: wall })
    expect(await offered(newPage(), FIRST)).toBe('known')
    await database.vouchers.update(row.id, { voidingAt: undefined })
    expect(await offered(newPage(), FIRST), 'one that was never redeemed').toBe('offer')
  })
})

describe('a voucher in two tabs of one device', () => {
  const held = async (): Promise<TillRow> => ({ ...(await newHold(scan(FIRST), wall)).row, state: 'held' })

  it('is not accepted while another tab has it in hand, even if only since a moment ago', async () => {
    await granted()
    const row = await held()
    const withRoom: AcceptancePorts['withRoom'] = async (write) => {
      await database.vouchers.put(row)
      return write()
    }
    const page = newPage({ withRoom })
    expect(await page.accept(await offer(page, FIRST))).toMatchObject({ is: 'not', why: 'held' })
    expect(await offered(newPage(), FIRST)).toBe('held')
    expect(await readTillRows(database)).toEqual([row])
    expect(await readAllowance(database)).toMatchObject({ total_cents: 0 })
  })

  it('is not redeemed in one tab after the other has accepted it, and its hold is given back', async () => {
    await granted()
    const verify = vi.fn<(resolve: (answer: Verified) => void) => void>()
    const till = newTill(() => new Promise(verify))
    const asking = till.verify(scan(FIRST))
    await vi.waitFor(() => expect(verify).toHaveBeenCalled())
    const row = await accept(newPage(), FIRST)
    verify.mock.calls[0]![0](good(FIRST))
    const asked = await asking
    if (asked.is !== 'held') throw new Error(`not held: ${asked.is}`)
    verify.mockImplementationOnce((resolve) => resolve(good(SECOND)))
    const other = await till.verify(scan(SECOND))
    if (other.is !== 'held') throw new Error(`not held: ${other.is}`)
    const tray = [asked.row.id, other.row.id]
    const confirmed = await till.confirm(tray)
    expect(tray.map((id) => confirmed.get(id)?.is)).toEqual(['known', 'confirmed'])
    expect(confirmed.get(asked.row.id)).toMatchObject({ row: { id: row.id } })
    expect(await readTillRow(database, asked.row.id)).toMatchObject({ state: 'cancelling' })
  })

  it('is redeemed if it was accepted, then voided, and is held again', async () => {
    await granted()
    const row = await accept(newPage(), FIRST)
    await database.vouchers.update(row.id, { state: 'receipted' })
    wall += HOUR
    monotonic += HOUR
    const till = newTill(async () => good(FIRST))
    const asked = await till.verify(scan(FIRST))
    if (asked.is !== 'held') throw new Error(`not held: ${asked.is}`)
    expect((await till.confirm([asked.row.id])).get(asked.row.id)?.is).toBe('confirmed')
  })
})

describe('a server that does not check a voucher', () => {
  const later = (connectionFailed: boolean): Verified => ({ kind: 'later', connectionFailed, message: 'not now' })

  it('has answered, unless the connection failed at both requests', async () => {
    const ask = (...answers: Verified[]) => newTill(async () => answers.shift()!).verify(scan(FIRST))
    expect(await ask(later(true), later(true))).toEqual({ is: 'no answer', answered: false })
    expect(await ask(later(false))).toEqual({ is: 'no answer', answered: true })
    expect(await ask(later(true), later(false))).toEqual({ is: 'no answer', answered: true })
  })
})

const NOTHING = { grant: null, why: 'no rules' } as const

describe('a grant', () => {
  it('counts only as the answer to the last request, and ends with the answer null', async () => {
    const first = await startAllowanceRequest(database)
    const second = await startAllowanceRequest(database)
    expect([first.request.grant, second.request.grant]).toEqual([null, null])
    await storeAllowanceAnswer(database, { requestNumber: second.requestNumber, asked_at: wall, answer: NOTHING }, wall)
    const grant = await granted()
    const late = { requestNumber: first.requestNumber, asked_at: wall, answer: { grant, why: null } }
    const third = await startAllowanceRequest(database)
    expect(third.request.grant).toBe(grant.id)
    await storeAllowanceAnswer(database, { requestNumber: third.requestNumber, asked_at: wall, answer: NOTHING }, wall)
    expect(await storeAllowanceAnswer(database, late, wall)).toBe(false)
    expect(await offered(newPage(), FIRST)).toBe('none')
  })

  it('never lets a till that has lost its count exceed the limit per till', async () => {
    await granted({ total_cents: 8_000 })
    expect(await readAllowance(database)).toMatchObject({ total_cents: 5_000 })
    const page = newPage()
    for (const serial of [FIRST, SECOND, THIRD]) await accept(page, serial)
    expect(await offered(page, '2000000000046')).toBe('till')
    await clearTillVouchers(database)
    const left = await readAllowance(database)
    expect(left, 'a revoked till keeps its count').toMatchObject({ total_cents: 8_000 })
    expect(left).not.toHaveProperty('granted')
  })
})

describe('accepted vouchers', () => {
  it('are sent until the server answers with a receipt, a loss or a review', async () => {
    await granted()
    const page = newPage()
    const rows = [await accept(page, FIRST), await accept(page, SECOND), await accept(page, THIRD)] as const
    const [id, instant] = [rows[0].id, new Date(wall).toISOString()]
    const receipt = {
      id,
      serial: FIRST,
      denomination_cents: 1_000,
      expires_on: '2026-11-22',
      receipt_number: 'R-000001',
      redeemed_at: instant,
      recorded_at: instant,
      pos_username: 'till-1',
      branch_name: 'Tampines',
      till: 'Till 1',
    }
    outcomes[FIRST] = { state: 'redeemed', receipt, replayed: false }
    outcomes[SECOND] = { state: 'lost', reason: 'used elsewhere', at: '2026-11-22T04:04:00.000Z' }
    await send()
    expect((await readTillRows(database)).map(({ state }) => state)).toEqual(['receipted', 'lost', 'accepted'])
    outcomes[THIRD] = { state: 'review', reason: 'revoked till' }
    wall += HOUR
    await send()
    expect(await readTillRows(database)).toMatchObject([
      { state: 'receipted', receipt },
      { state: 'lost', seen: false, lost: { reason: 'used elsewhere', at: '2026-11-22T04:04:00.000Z' } },
      { state: 'attention', seen: false, refused: { code: 'REVIEW', message: 'revoked till' } },
    ])
    expect(uploads.map((rows) => rows.length)).toEqual([3, 1])
  })
})
