import { expect } from 'vitest'
import type { Receipt, VerifiedVoucher } from '../../../../src/contract/redemptions/redeem.ts'
import { post, reply, send, type Ask, type Reply } from '../../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeVoucher, type User } from '../../../support/database/builders.ts'
import { askHeld, cancelHeld, redeemHeld, verifyAt } from '../../../support/redemptions/testTill.ts'
import type { TestServer } from '../../../support/server/testServer.ts'
import { Device, type Row } from './Device.ts'
import { TestSession } from './TestSession.ts'

export const DEVICES = 3
export const VOUCHERS = 2

/** What becomes of a message. `delayed` and `repeated` leave it on the way, to arrive whenever, and in whatever order. */
export type Fate = 'heard' | 'unheard' | 'repeated' | 'delayed' | 'lost'

/** What a till, or the merchant, asks of the server in this world. */
export type Request =
  | {
      ask: 'verify' | 'redeem' | 'cancel' | 'outcome' | 'void'
      id: string
      secret: string
      serial: string
      device: number
    }
  | { ask: 'release'; serial: string; since: string | undefined }
  | { ask: 'deactivate' | 'reactivate'; device: number }

interface Counter {
  device: Device
  user: User
  till: string
  session: TestSession
}

/** The people, who outlive a world: making them takes longer than all that happens to them. */
export interface Staff {
  main: TestSession
  branchId: string
  cashiers: Omit<Counter, 'device'>[]
}

export async function makeStaff(server: TestServer): Promise<Staff> {
  const { db } = server.database
  const merchant = await makeMerchant(db)
  const cashiers: Staff['cashiers'] = []
  for (let made = 1; made <= DEVICES; made += 1) {
    const user = await makePosUser(db, merchant)
    const session = await TestSession.begin(server, user.id)
    const till = crypto.randomUUID()
    const named = { token: await session.token(), body: { name: `Till ${made}` } }
    await send((path, init) => server.app.request(path, init), 'PUT', `/api/till/${till}`, named)
    cashiers.push({ user, till, session })
  }
  return { main: await TestSession.begin(server, merchant.main.id), branchId: merchant.branch.id, cashiers }
}

/** Three tills of one branch over a bad connection, two vouchers, a merchant who ends holds, and a server that must keep its word. */
export class HoldWorld {
  readonly onTheWay: Request[] = []
  /** Every redemption that the server has accepted, heard of or not. */
  readonly accepted = new Map<string, Receipt>()
  /** Vouchers released and devices deactivated: the words that may end a hold early. */
  readonly words = new Set<string | number>()
  readonly #since = new Map<string, string>()

  readonly server: TestServer
  readonly counters: Counter[]
  readonly serials: string[]
  readonly #staff: Staff

  constructor(server: TestServer, staff: Staff, serials: string[]) {
    this.server = server
    this.#staff = staff
    this.serials = serials
    this.counters = staff.cashiers.map((cashier) => ({ ...cashier, device: new Device() }))
  }

  /** With everybody at work and two new vouchers. */
  static async begin(server: TestServer, staff: Staff): Promise<HoldWorld> {
    const serials: string[] = []
    for (let made = 0; made < VOUCHERS; made += 1) {
      serials.push((await makeVoucher(server.database.db, { expiresOn: '2099-12-31' })).serial)
    }
    const world = new HoldWorld(server, staff, serials)
    for (const at of world.counters.keys()) await world.#put({ ask: 'reactivate', device: at })
    return world
  }

  /** The message of a row in its state, as the till sends it, first time or again. */
  async sendRow(device: number, row: Row, ask: Extract<Request, { id: string }>['ask'], fate: Fate): Promise<void> {
    await this.dispatch({ ask, id: row.id, secret: row.secret, serial: row.serial, device }, fate)
  }

  async release(serial: string, fate: Fate): Promise<void> {
    await this.dispatch({ ask: 'release', serial, since: this.#since.get(serial) }, fate)
  }

  async setActive(device: number, isActive: boolean, fate: Fate): Promise<void> {
    await this.dispatch({ ask: isActive ? 'reactivate' : 'deactivate', device }, fate)
  }

  async dispatch(request: Request, fate: Fate): Promise<void> {
    if (fate === 'delayed' || fate === 'repeated') this.onTheWay.push(request)
    if (fate === 'delayed' || fate === 'lost') return
    const answer = await this.#arrive(request)
    if (fate !== 'unheard') this.#hear(request, answer)
  }

  /** One message of those on the way arrives. */
  async deliver(which: number, fate: 'heard' | 'unheard'): Promise<void> {
    const [request] = this.onTheWay.splice(which % Math.max(1, this.onTheWay.length), 1)
    if (request) await this.dispatch(request, fate)
  }

  /** All that is on the way arrives at once. */
  async burst(): Promise<void> {
    const all = this.onTheWay.splice(0)
    const answers = await Promise.all(all.map((request) => this.#arrive(request)))
    for (const [index, request] of all.entries()) this.#hear(request, answers[index]!)
  }

  #hear(request: Request, answer: Reply): void {
    if (!('id' in request)) return
    const { device } = this.counters[request.device]!
    const row = device.rows.find(({ id }) => id === request.id)
    if (row) device.hear(row, request.ask, answer)
  }

  /** The server answers, at a moment of its own. */
  async #arrive(request: Request): Promise<Reply> {
    this.server.clock.advance({ seconds: 1 })
    this.#note(request)
    const answer = await this.#put(request)
    if ('id' in request && answer.status === 200) this.#remember(request, answer)
    return answer
  }

  #note(request: Request): void {
    if (request.ask === 'release') this.words.add(request.serial)
    if (request.ask === 'deactivate') this.words.add(request.device)
    if (request.ask === 'void') this.#rowOf(request).voiding = true
  }

  #remember(request: Extract<Request, { id: string }>, { data }: Reply): void {
    if (request.ask === 'verify') this.#since.set(request.serial, (data as VerifiedVoucher).hold!.since)
    if (request.ask !== 'redeem') return
    const before = this.accepted.get(request.id)
    if (before) expect(data).toEqual(before)
    this.accepted.set(request.id, data as Receipt)
  }

  #rowOf({ device, id }: { device: number; id: string }): Row {
    return this.counters[device]!.device.rows.find((row) => row.id === id)!
  }

  readonly #ask: Ask = (path, init) => this.server.app.request(path, init)

  async #put(request: Request): Promise<Reply> {
    for (;;) {
      const answer = await this.#putOnce(request)
      if (answer.error !== 'VOUCHER_BUSY') return answer
    }
  }

  async #putOnce(request: Request): Promise<Reply> {
    switch (request.ask) {
      case 'verify': {
        const { session, till } = this.counters[request.device]!
        return verifyAt(this.#ask, await session.token(), till, request.serial, request)
      }
      case 'redeem':
        return redeemHeld(this.#ask, request.serial, request)
      case 'cancel':
        return cancelHeld(this.#ask, request)
      case 'outcome':
        return askHeld(this.#ask, request)
      case 'void': {
        const { session } = this.counters[request.device]!
        return post(this.#ask, '/api/voucher/void', { id: request.id }, await session.token())
      }
      case 'release': {
        const guid = await this.#guidOf(request.serial)
        const since = request.since ?? '2000-01-01T00:00:00.000Z'
        return post(this.#ask, '/api/voucher/release', { guid, since }, await this.#staff.main.token())
      }
      case 'deactivate':
      case 'reactivate': {
        const path = `/api/pos/${this.#staff.branchId}/${request.ask.replace('te', 'tion')}/${this.counters[request.device]!.user.id}`
        const answer = await reply(await send(this.#ask, 'PUT', path, { token: await this.#staff.main.token() }))
        if (request.ask === 'reactivate' && answer.status === 200) await this.#signInAgain(request.device)
        return answer
      }
    }
  }

  async #signInAgain(device: number): Promise<void> {
    const { user } = this.counters[device]!
    const session = await TestSession.begin(this.server, user.id)
    this.counters[device]!.session = session
    this.#staff.cashiers[device]!.session = session
  }

  async #guidOf(serial: string): Promise<string> {
    const [row] = await this.server.database.run<[string], { id: string }>(
      { name: 'guid_of', text: 'SELECT id::text AS id FROM voucher WHERE serial = $1' },
      [serial],
    )
    return row!.id
  }
}
