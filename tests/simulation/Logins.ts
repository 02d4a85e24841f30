import { endSession } from '../../server/db/accounts/sessions.ts'
import { send } from '../support/api/portalClient.ts'
import { makePosUser, type Merchant, type User } from '../support/database/builders.ts'
import { TestSession } from '../support/redemptions/TestSession.ts'
import type { Tablet } from './Tablet.ts'
import type { World } from './World.ts'

interface Login {
  /** Two cashiers share a till; the first is the one on duty. */
  users: readonly User[]
  session?: (TestSession & { ofUser: User }) | undefined
}

/** The logins at each till. */
export class Logins {
  readonly #world: World
  readonly #merchant: Merchant
  readonly #main: TestSession
  readonly #logins = new Map<Tablet, Login>()
  readonly #inactive = new Set<string>()

  constructor(world: World, merchant: Merchant, main: TestSession) {
    this.#world = world
    this.#merchant = merchant
    this.#main = main
  }

  async employAt(tablet: Tablet): Promise<void> {
    const { db } = this.#world.server.database
    const place = this.#merchant as Parameters<typeof makePosUser>[1]
    this.#logins.set(tablet, { users: [await makePosUser(db, place), await makePosUser(db, place)] })
    const token = await this.tokenOf(tablet)
    const body = { name: tablet.name }
    const headers: Record<string, string> = tablet.tillCookie === undefined ? {} : { cookie: tablet.tillCookie }
    tablet.becomesTill(await send(this.#world.ask, 'PUT', `/api/till/${tablet.parts.tillId}`, { token, body, headers }))
  }

  /** Token of the user logged in at the till, valid for some minutes. Without a login, a user who may work logs in. */
  async tokenOf(tablet: Tablet): Promise<string | undefined> {
    const login = this.#logins.get(tablet)!
    const user = login.users.find(({ id }) => !this.#inactive.has(id))
    if (!user) return undefined
    login.session ??= Object.assign(await TestSession.begin(this.#world.server, user.id), { ofUser: user })
    return login.session.token()
  }

  async logOut(tablet: Tablet): Promise<void> {
    const login = this.#logins.get(tablet)!
    tablet.token = undefined
    if (!login.session) return
    const { database, clock } = this.#world.server
    await endSession(database.db, login.session.sessionId, 'logout', clock.now())
    login.session = undefined
    this.#world.say(`${tablet.name} is logged out`)
  }

  /** Logs out, so that the other cashier serves the next customer. */
  async change(tablet: Tablet): Promise<void> {
    await this.logOut(tablet)
    const login = this.#logins.get(tablet)!
    login.users = login.users.toReversed()
    this.#world.say(`${tablet.name} has another cashier`)
  }

  /** Deactivates the user who is logged in at the till; an hour later the user is active again. */
  async deactivate(tablet: Tablet): Promise<void> {
    const login = this.#logins.get(tablet)!
    const user = login.session?.ofUser
    if (!user) return
    const held = await this.#world.server.database.run<[string], { serial: string }>(
      {
        name: 'simulated_held_by',
        text: `SELECT v.serial FROM hold h JOIN voucher v ON v.id = h.voucher_id
               WHERE h.pos_user_id = $1::uuid AND h.became IS NULL ORDER BY v.serial`,
      },
      [user.id],
    )
    await this.#set(user, 'deactivation')
    for (const { serial } of held) this.#world.endedByMerchant.add(serial)
    this.#inactive.add(user.id)
    login.session = undefined
    this.#world.say(`the cashier of ${tablet.name} is deactivated, with ${held.length} holds`)
    this.#world.timeline.in(HOUR, async () => {
      await this.#set(user, 'reactivation')
      this.#inactive.delete(user.id)
    })
  }

  async #set({ id }: User, to: 'deactivation' | 'reactivation'): Promise<void> {
    const token = await this.#main.token()
    const { status } = await send(this.#world.ask, 'PUT', `/api/pos/${this.#merchant.branch.id}/${to}/${id}`, { token })
    if (status !== 200) throw new Error(`${to} gave ${status}`)
  }
}

const HOUR = 3_600_000
