import { eq, inArray } from 'drizzle-orm'
import { hold, lateUpload, redemption, till as tillTable } from '../../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../../server/db/schema/vouchers.ts'
import { hashToken } from '../../../../server/services/opaqueToken.ts'
import type { Enrolment } from '../../../../src/contract/devices/enrolment.ts'
import type { EndedHold } from '../../../../src/contract/redemptions/hold.ts'
import type { SyncOutcome } from '../../../../src/contract/redemptions/sync.ts'
import { browserOf } from '../../../support/api/browserOf.ts'
import { post, reply, send, type Ask, type Reply } from '../../../support/api/portalClient.ts'
import { makeVoucher } from '../../../support/database/builders.ts'
import type { Staff } from '../../../support/redemptions/testStaff.ts'
import {
  askHeld,
  cancelHeld,
  newHoldKey,
  redeemHeld,
  verifyAt,
  voidHeld,
  type HoldKey,
} from '../../../support/redemptions/testTill.ts'
import type { TestServer } from '../../../support/server/testServer.ts'
import { restoreHold } from './restoreHold.ts'
import {
  AGE_MS,
  type Age,
  type Answer,
  type HoldName,
  type Request,
  type Served,
  type ServerState,
  type TillName,
} from './states.ts'
import { voucherModel, type VoucherState } from './voucherModel.ts'

const TILL_NAMES = ['A', 'B'] as const

interface Answered {
  state: ServerState
  answer: Answer
}

/** The real server as a function: what it answers in a state, and the state after that. Each is asked once, of a new voucher. */
export class ServerMachine {
  readonly #answered = new Map<string, Answered>()
  readonly #known = new WeakMap<ServerState, Map<string, Answered>>()
  readonly #states = new Map<string, ServerState>()
  readonly #server: TestServer
  readonly #staff: Staff
  /** In the database, since the last question. */
  #isRevoked: ServerState['isRevoked'] = { A: false, B: false }

  constructor(server: TestServer, staff: Staff) {
    this.#server = server
    this.#staff = staff
  }

  /** The same object again for the same state and request: what was worked out about it holds again. */
  async answer(state: ServerState, request: Request): Promise<Answered> {
    const known = this.#known.get(state) ?? new Map<string, Answered>()
    this.#known.set(state, known)
    const name = `${request.ask} ${request.hold}`
    const answered = known.get(name) ?? (await this.#reduced(state, request))
    known.set(name, answered)
    return answered
  }

  /**
   * Only the hold that is asked about and the one that stands in its way are put before the server: others are over. Both have the same
   * names each time.
   */
  async #reduced({ holds, isExpired, isRevoked }: ServerState, { ask, hold }: Request): Promise<Answered> {
    const other = (Object.keys(holds) as HoldName[]).find((name) => name !== hold && isInForce(holds[name]!))
    const otherHere: HoldName = other?.[0] === hold[0] ? 'A2' : 'B1'
    const till = hold[0] as TillName
    const otherTill: TillName = till === 'A' ? 'B' : 'A'
    const own = holds[hold]
    const isOthers = other ? { [otherHere]: holds[other] } : {}
    // Of the other till only where its hold might be taken over.
    const isOthersTold = ask === 'verify' && other !== undefined && otherHere === 'B1'
    const revokedHere = { A: isRevoked[till], B: isOthersTold && isRevoked[otherTill] }
    const asked = { holds: { ...(own ? { A1: own } : {}), ...isOthers }, isExpired, isRevoked: revokedHere }
    const key = JSON.stringify([asked, ask])
    const { state, answer } = this.#answered.get(key) ?? (await this.#ask(asked, { ask, hold: 'A1' }))
    this.#answered.set(key, { state, answer })
    const isOver = own && own.is !== 'held' && own.is !== 'redeemed'
    if (isOver && state.holds.A1?.is !== own.is)
      throw new Error(`${ask} made ${state.holds.A1?.is} of what was ${own.is}`)
    const after = { ...holds, [hold]: state.holds.A1, ...(other ? { [other]: state.holds[otherHere] } : {}) }
    const known = Object.entries(after).filter(([, served]) => served !== undefined)
    const revokedAfter = { ...isRevoked, [till]: state.isRevoked.A }
    return {
      answer,
      state: this.#same({
        holds: Object.fromEntries(known) as ServerState['holds'],
        isExpired,
        isRevoked: revokedAfter,
      }),
    }
  }

  #same(state: ServerState): ServerState {
    const text = JSON.stringify(state)
    const first = this.#states.get(text) ?? state
    this.#states.set(text, first)
    return first
  }

  async #ask(state: ServerState, request: Request): Promise<Answered> {
    // Holds of the voucher before this one are past their end, and count for no limit.
    this.#server.clock.advance({ hours: 25 })
    const now = this.#server.clock.now().getTime()
    const names = new Set([...(Object.keys(state.holds) as HoldName[]), request.hold])
    const keys = new Map([...names].map((name) => [name, newHoldKey()]))
    const made = await makeVoucher(this.#server.database.db, {
      expiresOn: state.isExpired ? '2026-01-01' : '2099-12-31',
    })
    for (const [name, served] of Object.entries(state.holds)) {
      const { user, till, session } = this.#cashierOf(name as HoldName)
      const { id, secret } = keys.get(name as HoldName)!
      const by = { user, till, sessionId: session.sessionId, branchId: this.#staff.branchId, tillName: name }
      await restoreHold(this.#server.database.db, made.id, { id, secretHash: hashToken(secret), ...by }, served, now)
    }
    await this.#revoke(state.isRevoked)
    const answer = await this.#put(request, keys.get(request.hold)!, made)
    const [holds, isRevoked] = await Promise.all([this.#read(made.id, keys, now), this.#whichRevoked()])
    const after = { ...state, holds, isRevoked }
    expectLawful(state, request, answer, after)
    if (after.holds.A1?.is === 'redeemed' && state.holds.A1?.is !== 'redeemed')
      await this.#expectNoted(keys.get('A1')!.id, state.isRevoked.A)
    return { answer, state: after }
  }

  async #read(voucherId: string, keys: Map<HoldName, HoldKey>, now: number): Promise<ServerState['holds']> {
    const { db } = this.#server.database
    const ids = [...keys.values()].map(({ id }) => id)
    const [[row], entries, rows] = await Promise.all([
      db.select().from(voucher).where(eq(voucher.id, voucherId)),
      db.select().from(redemption).where(eq(redemption.voucherId, voucherId)),
      db.select().from(hold).where(inArray(hold.id, ids)),
    ])
    const ageOf = (since: Date): Age => AGE_MS.findLastIndex((ms) => now - since.getTime() >= ms) as Age
    const holds: ServerState['holds'] = {}
    for (const [name, { id }] of keys) {
      const entry = entries.find((one) => one.id === id)
      const own = rows.find((one) => one.id === id)
      if ((own?.became === 'redeemed') !== (entry !== undefined)) throw new Error(`${name} is two things at once`)
      const is: Served | undefined = entry
        ? entry.voidedAt
          ? { is: 'voided' }
          : { is: 'redeemed', age: Math.min(1, ageOf(entry.recordedAt)) as Age }
        : own && (own.became === null ? { is: 'held', age: ageOf(own.since!) } : { is: own.became as 'cancelled' })
      if (is) holds[name] = is
    }
    const isUsed = Object.values(holds).some(({ is }) => is === 'redeemed')
    if ((row!.status === 'Used') !== isUsed) throw new Error('ledger and voucher are not the same money')
    return holds
  }

  readonly #browsers = new Map<string, Ask>()

  /** Of a till, which keeps its cookie. */
  #browserOf(till: string): Ask {
    const known = this.#browsers.get(till) ?? browserOf((path, init) => this.#path(path, init))
    this.#browsers.set(till, known)
    return known
  }

  #cashierOf(name: string) {
    return this.#staff.cashiers[name.startsWith('A') ? 0 : 1]!
  }

  async #revoke(isRevoked: ServerState['isRevoked']): Promise<void> {
    for (const name of TILL_NAMES) {
      if (this.#isRevoked[name] === isRevoked[name]) continue
      const revokedAt = isRevoked[name] ? this.#server.clock.now() : null
      await this.#server.database.db
        .update(tillTable)
        .set({ revokedAt })
        .where(eq(tillTable.id, this.#cashierOf(name).till))
    }
  }

  async #whichRevoked(): Promise<ServerState['isRevoked']> {
    const rows = await this.#server.database.db
      .select()
      .from(tillTable)
      .where(eq(tillTable.branchId, this.#staff.branchId))
    const isRevoked = (name: TillName) =>
      rows.some(({ id, revokedAt }) => id === this.#cashierOf(name).till && revokedAt)
    this.#isRevoked = { A: isRevoked('A'), B: isRevoked('B') }
    return this.#isRevoked
  }

  /** What comes from a revoked till is to be reviewed (decision 0079). */
  async #expectNoted(id: string, isLate: boolean): Promise<void> {
    const noted = await this.#server.database.db.$count(lateUpload, eq(lateUpload.redemptionId, id))
    if (noted !== Number(isLate)) throw new Error(`a redemption of a till that is revoked: ${isLate}, noted: ${noted}`)
  }

  async #put(
    { ask, hold: name }: Request,
    key: HoldKey,
    { id: guid, serial }: { id: string; serial: string },
  ): Promise<Answer> {
    const { session, till } = this.#cashierOf(name)
    switch (ask) {
      case 'verify':
        return wordOf(ask, await verifyAt(this.#browserOf(till), await session.token(), till, serial, key))
      case 'redeem':
        return stateOf(await redeemHeld(this.#path, key))
      case 'cancel':
        return stateOf(await cancelHeld(this.#path, key))
      case 'ask':
        return stateOf(await askHeld(this.#path, key))
      case 'void':
        return stateOf(await voidHeld(this.#path, key))
      case 'revoke': {
        const [row] = await this.#server.database.db.select().from(tillTable).where(eq(tillTable.id, till))
        const path = `/api/device/${row!.guid}/revoke`
        return wordOf(ask, await post(this.#path, path, { remove: false }, await this.#staff.main.token()))
      }
      case 'enrol': {
        const invited = { branch_guid: this.#staff.branchId, name: 'Till' }
        const made = await post<Enrolment>(this.#path, '/api/device/enrolment', invited, await this.#staff.main.token())
        const body = { token: await session.token(), body: { code: made.data.code } }
        return wordOf(ask, await reply(await send(this.#browserOf(till), 'PUT', `/api/till/${till}/enrolment`, body)))
      }
      case 'release': {
        const [row] = await this.#server.database.db.select().from(hold).where(eq(hold.id, key.id))
        const body = { guid, since: row!.since!.toISOString() }
        return wordOf(ask, await post(this.#path, '/api/voucher/release', body, await this.#staff.main.token()))
      }
    }
  }

  readonly #path: Ask = (path, init) => this.#server.app.request(path, init)
}

const isInForce = ({ is }: Served) => is === 'held' || is === 'redeemed'

/** A status of 200, or the code of the refusal, and how a hold has ended. */
function wordOf(ask: Request['ask'], { status, error, data }: Reply): Answer {
  if (status === 429 || status >= 500) throw new Error(`${ask} was answered ${status} ${error}`)
  if (status === 200) return '200'
  return error === 'HOLD_ENDED' ? `HOLD_ENDED ${(data as EndedHold).by}` : String(error)
}

const stateOf = (outcome: SyncOutcome): Answer => (outcome.state === 'ended' ? `ended ${outcome.by}` : outcome.state)

/** Rule 9.9 in the words that simulated worlds are judged by. */
function expectLawful(state: ServerState, request: Request, said: Answer, after: ServerState): void {
  const isLawful = isLawfulForTill(state, request, said, after) && isLawfulForVoucher(state, request, said, after)
  if (!isLawful) throw new Error(`${request.ask} of ${JSON.stringify(state)}: ${said}, ${JSON.stringify(after)}`)
}

/** A revoked till gets no hold, whatever it has; nothing else asks whether it is revoked (decision 0079). */
function isLawfulForTill({ isRevoked }: ServerState, { ask }: Request, said: Answer, after: ServerState): boolean {
  const expected = ask === 'revoke' ? true : ask === 'enrol' ? false : isRevoked.A
  if (after.isRevoked.A !== expected || after.isRevoked.B !== isRevoked.B) return false
  return (said === 'TILL_REVOKED') === (ask === 'verify' && isRevoked.A)
}

function isLawfulForVoucher(state: ServerState, { ask, hold }: Request, said: Answer, after: ServerState): boolean {
  const isSame = (next: VoucherState) =>
    Object.keys({ ...next, ...after.holds }).every((name) => next[name]?.is === after.holds[name as HoldName]?.is)
  if (ask === 'revoke' || ask === 'enrol') return said === '200' && isSame(modelled(state))
  const call = { ask, hold, answer: said, askedAt: 0, answeredAt: 0 }
  const lawful = voucherModel(state.isExpired ? 0 : Number.POSITIVE_INFINITY).step(modelled(state), call)
  return lawful.some(isSame)
}

const modelled = ({ holds }: ServerState): VoucherState =>
  Object.fromEntries(
    Object.entries(holds).map(([name, served]) => {
      const at = 'age' in served ? -AGE_MS[served.age] : 0
      return [name, { is: served.is, from: at, to: at }]
    }),
  )
