import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { AnswerOf } from '../../../../src/contract/endpoint.ts'
import type { AcceptedOutcome } from '../../../../src/contract/redemptions/allowance.ts'
import type { askAllowance } from '../../../../src/contract/redemptions/allowanceEndpoints.ts'
import type { Receipt, VerifiedVoucher } from '../../../../src/contract/redemptions/redeem.ts'
import { readSignedVoucher } from '../../../../src/domain/signedVouchers.ts'
import type { FinalOutcome, HeldVoucher, TillWire, WireAnswer } from '../../../../src/domain/TillWire.ts'
import { Acceptance } from '../../../../src/offline/redemptions/Acceptance.ts'
import { renewAllowance } from '../../../../src/offline/redemptions/renewAllowance.ts'
import { Till } from '../../../../src/offline/redemptions/Till.ts'
import { readTillRows } from '../../../../src/offline/redemptions/tillRows.ts'
import { sendWaiting, settleOne } from '../../../../src/offline/redemptions/tillSender.ts'
import { TillDatabase, type TillRow } from '../../../../src/offline/store/till.ts'
import { browserOf } from '../../../support/api/browserOf.ts'
import { post, type Reply } from '../../../support/api/portalClient.ts'
import type { TestSession } from '../../../support/redemptions/TestSession.ts'
import { bearerOf } from '../../../support/redemptions/testTill.ts'
import type { TestServer } from '../../../support/server/testServer.ts'

/**
 * What the connection does to the next calls. `late`: the request arrives when the connection is up again, and nobody hears of it.
 * `no uploads`: the server is busy, and lets in all but those.
 */
export type Connection = 'up' | 'away' | 'loses answers' | 'repeats' | 'late' | 'no uploads'

const UNHEARD: WireAnswer<never> = { kind: 'later', connectionFailed: true, message: 'no connection' }

const FINAL = [
  'HOLD_ENDED',
  'HOLD_UNKNOWN',
  'VOUCHER_ALREADY_USED',
  'VOUCHER_EXPIRED',
  'VOUCHER_HELD',
  'VOUCHER_REVOKED',
]

export interface TabletPlace {
  server: TestServer
  till: { id: string; guid: string; branchId: string }
  user: { id: string; loginName: string }
  session: TestSession
  /** In its cookie. */
  token: string
  /** Whether a key of the programme has signed it. */
  verify: (key: number, signed: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>) => Promise<string>
}

/** A tablet at the counter: the real till on a disk of its own, and the real server at the other end of a bad connection. */
export class Tablet {
  /** What was accepted without a check, and when, by the server's clock. */
  readonly accepted = new Map<string, { cents: number; at: Date; branchId: string }>()
  connection: Connection = 'up'
  /** Of the branch that it works at now. */
  place: TabletPlace
  #clockIsOffMs = 0
  #database = new TillDatabase(`till-${randomUUID()}`)
  #late: (() => Promise<unknown>)[] = []
  #kept = new Set<string>()
  #till!: Till
  #acceptance!: Acceptance

  constructor(place: TabletPlace) {
    this.place = place
    void this.start()
  }

  /** A page on what the disk has. The one before dies, wherever it was. */
  start() {
    this.#kept = new Set()
    const { verify } = this.place
    const clocks = { wall: this.#now, monotonic: () => this.place.server.clock.now().getTime() }
    const settle = (id: string) => settleOne(this.#ports(), id)
    const withRoom = async <T>(write: () => PromiseLike<T>) => write()
    const ports = { ...this.#ports(), clocks, withRoom, wake: () => undefined }
    const kept = this.#kept
    const locks = {
      keep: async (id: string) => kept.add(id).has(id),
      leave: (id: string) => void kept.delete(id),
      kept: async () => kept,
    }
    this.#till = new Till({ ...ports, locks, settle })
    this.#acceptance = new Acceptance({
      ...ports,
      prove: async (code, { today }) => {
        const read = readSignedVoucher(code)
        if (!read) return { is: 'unsigned' }
        const { serial, denomination_cents, expires_on } = read
        if ((await verify(read.key, read.signed, read.signature)) !== 'good') return { is: 'refused', why: 'forged' }
        if (expires_on < today) return { is: 'refused', why: 'expired' }
        return { is: 'genuine', serial, denomination_cents, expires_on }
      },
    })
    return this.#till.releaseOrphans()
  }

  setClock = (minutes: number) => void (this.#clockIsOffMs += minutes * 60_000)

  /** Everything that a script can store is gone. */
  async clearStorage() {
    await this.#database.delete()
    this.#database = new TillDatabase(`till-${randomUUID()}`)
    await this.start()
  }

  /** Asks what it may accept from now on. */
  async renew() {
    const { till } = this.place
    const ports = {
      database: this.#database,
      wall: this.#now,
      verify: this.place.verify,
      ask: async (request: object) => {
        const heard = await this.#carry(async () =>
          answerOf(await this.#post<AnswerOf<typeof askAllowance>>('/api/till/allowance', request)),
        )
        return heard.kind === 'done' ? heard.answer : undefined
      },
    }
    await renewAllowance(ports, { till: till.id, branch: till.branchId })
  }

  /** The customer shows a voucher; with a connection it is checked and taken, without one accepted where that is allowed. */
  async take(code: string, decides = true) {
    const { serial } = readSignedVoucher(code)!
    const { till, user } = this.place
    const voucher = { serial, code, owner: user.id, owner_name: user.loginName, till: till.id }
    const asked = await this.#till.ask(voucher)
    if (asked.is === 'held' && decides) await this.#till.confirm(asked.row.id)
    if (asked.is !== 'line' || asked.answered) return
    const offered = await this.#acceptance.offer(voucher, till.branchId, this.connection === 'away')
    if (offered.is !== 'offer') return
    const accepted = await this.#acceptance.accept(offered.offer)
    if (accepted.is !== 'accepted') return
    const { row } = accepted
    const at = this.place.server.clock.now()
    this.accepted.set(row.id, { cents: row.denomination_cents!, at, branchId: till.branchId })
  }

  async send() {
    await sendWaiting(this.#ports(), true)
    if (this.connection === 'up') await this.#deliverLate()
  }

  rows = (): Promise<TillRow[]> => readTillRows(this.#database)

  /** Nobody can read it any more. */
  destroy = () => this.#database.delete()

  /** What was under way when the tablet fell. */
  async #deliverLate() {
    for (const arrive of this.#late.splice(0)) await arrive()
  }

  readonly #now = () => this.place.server.clock.now().getTime() + this.#clockIsOffMs

  #ports() {
    return { database: this.#database, wire: this.#wire(), now: this.#now, random: () => 0.5 }
  }

  #wire(): TillWire {
    const byHold = <T>(path: string, voucher: HeldVoucher, body: object) =>
      this.#carry(async () =>
        answerOf(await this.#post<T>(path, body, bearerOf(voucher), { 'idempotency-key': voucher.id })),
      )
    return {
      verify: ({ id, serial, secret_hash, till }) =>
        this.#carry(async () =>
          checkAnswer(
            await this.#post<VerifiedVoucher>(
              '/api/voucher/verify',
              { serial, hold: { id, secret_hash, till } },
              await this.place.session.token(),
            ),
          ),
        ),
      redeem: (voucher) => byHold<Receipt>('/api/voucher/redeem', voucher, { serial: voucher.serial }),
      // Each alone: together is tested elsewhere.
      upload: async () => ({ kind: 'refused', refused: { code: 'NOT_FOUND', message: '', data: {} } }),
      accept: (body) =>
        this.#carry(async () => {
          if (this.connection === 'no uploads') return UNHEARD
          const answer = answerOf(await this.#post<{ outcomes: AcceptedOutcome[] }>('/api/voucher/accepted', body))
          if (answer.kind !== 'done') return answer
          return { kind: 'done', answer: new Map(answer.answer.outcomes.map((one) => [one.id, outcomeOf(one)])) }
        }),
      cancel: (voucher) => byHold('/api/voucher/cancel', voucher, { id: voucher.id }),
      ask: () => Promise.resolve(UNHEARD),
      void: () => Promise.resolve(UNHEARD),
    }
  }

  #post<T>(path: string, body: object, token?: string, headers?: Record<string, string>): Promise<Reply<T>> {
    return post<T>(browserOf(this.place.server.ask, { till: this.place.token }), path, body, token, headers)
  }

  async #carry<T>(call: () => Promise<WireAnswer<T>>): Promise<WireAnswer<T>> {
    switch (this.connection) {
      case 'up':
      case 'no uploads':
        return call()
      case 'repeats':
        await call()
        return call()
      case 'loses answers':
        await call()
        return UNHEARD
      case 'late':
        this.#late.push(call)
        return UNHEARD
      case 'away':
        return UNHEARD
    }
  }
}

function answerOf<T>({ status, data, error }: Reply<T>): WireAnswer<T> {
  if (status === 200) return { kind: 'done', answer: data }
  if (FINAL.includes(error!)) return { kind: 'refused', refused: { code: error!, message: '', data: {} } }
  expect(error).toBe('VOUCHER_BUSY')
  return { kind: 'later', connectionFailed: false, message: error! }
}

/** At the counter every refusal is the last word. */
const checkAnswer = (reply: Reply<VerifiedVoucher>): WireAnswer<VerifiedVoucher> =>
  reply.status === 200
    ? { kind: 'done', answer: reply.data }
    : { kind: 'refused', refused: { code: reply.error!, message: '', data: {} } }

function outcomeOf(said: AcceptedOutcome): WireAnswer<FinalOutcome> {
  if (said.outcome === 'waiting') return { kind: 'later', connectionFailed: false, message: 'on hold' }
  if (said.outcome === 'refused') return { kind: 'refused', refused: { code: said.error, message: '', data: {} } }
  return { kind: 'done', answer: said }
}
