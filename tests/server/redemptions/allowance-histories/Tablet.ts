import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { AnswerOf } from '../../../../src/contract/endpoint.ts'
import type { askAllowance } from '../../../../src/contract/redemptions/allowanceEndpoints.ts'
import type { VerifiedVoucher } from '../../../../src/contract/redemptions/redeem.ts'
import type { SyncOutcome } from '../../../../src/contract/redemptions/sync.ts'
import { readSignedVoucher } from '../../../../src/domain/signedVouchers.ts'
import type { Synced, TillWire, WireAnswer } from '../../../../src/domain/TillWire.ts'
import { Acceptance } from '../../../../src/offline/allowance/Acceptance.ts'
import { renewAllowance } from '../../../../src/offline/allowance/renewAllowance.ts'
import { sendDue, sendOne } from '../../../../src/offline/queue.ts'
import { Till } from '../../../../src/offline/redemptions/Till.ts'
import { tillKind } from '../../../../src/offline/redemptions/tillKind.ts'
import { readTillRows } from '../../../../src/offline/redemptions/tillRows.ts'
import { TillDatabase, type TillRow } from '../../../../src/offline/store/till.ts'
import { browserOf } from '../../../support/api/browserOf.ts'
import { post, type Reply } from '../../../support/api/portalClient.ts'
import type { TestSession } from '../../../support/redemptions/TestSession.ts'
import type { TestServer } from '../../../support/server/testServer.ts'

/**
 * What the connection does to the next calls. `late`: the request arrives when the connection is up again, and nobody hears of it.
 * `no uploads`: the server is busy, and lets in all but those.
 */
export type Connection = 'up' | 'away' | 'loses answers' | 'repeats' | 'late' | 'no uploads'

const UNHEARD: Extract<Synced, { kind: 'later' }> = { kind: 'later', connectionFailed: true, message: 'no connection' }

const RUN = { isAlone: true, stopped: new AbortController().signal }

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
    const sendNow = (id: string) => sendOne(this.#kind(), id, RUN)
    const withRoom = async <T>(write: () => PromiseLike<T>) => write()
    const ports = { database: this.#database, wire: this.#wire(), clocks, withRoom, wake: () => undefined }
    const kept = this.#kept
    const locks = {
      keep: async (id: string) => kept.add(id).has(id),
      leave: (id: string) => void kept.delete(id),
      kept: async () => kept,
    }
    this.#till = new Till({ ...ports, locks, sendNow })
    this.#acceptance = new Acceptance({
      ...ports,
      prove: async (code, { today }) => {
        const read = readSignedVoucher(code)
        if (!read) return { is: 'not', why: 'unsigned' }
        const { serial, denomination_cents, expires_on } = read
        if ((await verify(read.key, read.signed, read.signature)) !== 'good') return { is: 'not', why: 'forged' }
        if (expires_on < today) return { is: 'not', why: 'expired' }
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
    const ports = {
      database: this.#database,
      wall: this.#now,
      ask: async (request: object) => {
        const heard = await this.#carry(async () => {
          const { data } = await this.#post<AnswerOf<typeof askAllowance>>('/api/till/allowance', request)
          return { kind: 'done', answer: data } as const
        })
        return heard.kind === 'done' ? heard.answer : undefined
      },
    }
    await renewAllowance(ports)
  }

  /** The customer shows a voucher; with a connection it is checked and taken, without one accepted where that is allowed. */
  async take(code: string, decides = true) {
    const { serial } = readSignedVoucher(code)!
    const { till, user } = this.place
    const voucher = { serial, code, owner: user.id, owner_name: user.loginName, till: till.id }
    const asked = await this.#till.ask(voucher)
    if (asked.is === 'held' && decides) await this.#till.confirm([asked.row.id])
    if (asked.is !== 'line' || asked.answered) return
    const offered = await this.#acceptance.afterSilence(voucher, till.branchId)
    if (offered.is !== 'offer') return
    const accepted = await this.#acceptance.accept(offered.offer)
    if (accepted.is !== 'accepted') return
    const { row } = accepted
    const at = this.place.server.clock.now()
    this.accepted.set(row.id, { cents: row.denomination_cents!, at, branchId: till.branchId })
  }

  async send() {
    await sendDue(this.#kind(), { ...RUN, again: true })
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

  #kind = () => tillKind({ database: this.#database, wire: this.#wire(), now: this.#now, random: () => 0.5 })

  #wire(): TillWire {
    return {
      verify: ({ id, serial, secret_hash, till }) =>
        this.#carry(async () => {
          const body = { serial, hold: { id, secret_hash, till } }
          return checkAnswer(await this.#post('/api/voucher/verify', body, await this.place.session.token()))
        }),
      sync: (rows, isBacklog) =>
        this.#carry(async () => {
          if (isBacklog && this.connection === 'no uploads') return UNHEARD
          const said = await this.#post<{ outcomes: SyncOutcome[] }>('/api/till/sync', { rows })
          expect(said.status).toBe(200)
          return { kind: 'done', answer: said.data.outcomes } as const
        }),
    }
  }

  #post<T>(path: string, body: object, token?: string): Promise<Reply<T>> {
    return post<T>(browserOf(this.place.server.ask, { till: this.place.token }), path, body, token)
  }

  async #carry<T extends WireAnswer<unknown>>(call: () => Promise<T>): Promise<T | typeof UNHEARD> {
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

/** At the counter every refusal is the last word. */
const checkAnswer = (reply: Reply<VerifiedVoucher>): WireAnswer<VerifiedVoucher> =>
  reply.status === 200
    ? { kind: 'done', answer: reply.data }
    : { kind: 'refused', refused: { code: reply.error!, message: '', data: {} } }
