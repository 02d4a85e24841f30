import { v7 as uuidv7 } from 'uuid'
import { endSession } from '../../server/db/accounts/sessions.ts'
import type { ReportIntent } from '../../src/contract/reports/report.ts'
import { addDays, singaporeDay } from '../../src/domain/singaporeTime.ts'
import { UserDatabase } from '../../src/offline/store/databases.ts'
import type { OutboxRow } from '../../src/offline/store/userRows.ts'
import type { User } from '../support/database/builders.ts'
import { TestSession } from '../support/redemptions/TestSession.ts'
import type { Chance } from './Chance.ts'
import type { Tab } from './Tab.ts'
import type { Tablet } from './Tablet.ts'
import type { World } from './World.ts'

const WORKS_EVERY = 20 * 60_000

/** A merchant in the office, who asks for reports, saves them, and now and then does not want one any more. */
export class Manager {
  /** Downloads whose row the device has stored; `letGo`: saved or discarded, so that it may go. */
  readonly wishes = new Map<string, 'wanted' | 'letGo'>()
  readonly tablet: Tablet
  readonly #world: World
  readonly #user: User
  readonly #chance: Chance
  #session: TestSession | undefined

  constructor(world: World, tablet: Tablet, user: User, chance: Chance) {
    this.#world = world
    this.tablet = tablet
    this.#user = user
    this.#chance = chance
  }

  open(): void {
    this.#world.timeline.in(this.#world.opensIn() + this.#chance.around(WORKS_EVERY), async () => {
      if (this.#world.isClosing) return
      const tab = this.tablet.tabs.length === 0 ? await this.tablet.open() : this.#chance.pick(this.tablet.tabs)
      this.tablet.show(tab)
      await this.logIn()
      await this.#work(tab)
      this.open()
    })
  }

  /** Where nobody is logged in. */
  async logIn(): Promise<void> {
    if (this.tablet.token !== undefined) return
    const binding = uuidv7()
    this.#session = await TestSession.begin(this.#world.server, this.#user.id, binding)
    this.#say('is logged in')
    await this.tablet.beginSession(this.#user.id, await this.#session.token(), `binding=${binding}`)
  }

  /** As by a login elsewhere: the pages hear of it when they ask for something. */
  async endSession(): Promise<void> {
    if (!this.#session) return
    const { database, clock } = this.#world.server
    await endSession(database.db, this.#session.sessionId, 'logout', clock.now())
    this.#say('has a session that is over')
  }

  /** Its downloads, and the files that lie on the device, as they are on its disk. */
  readonly onDisk = async (): Promise<{ rows: OutboxRow[]; files: { id: string; bytes: ArrayBuffer }[] }> => {
    const store = this.tablet.readDisk(() => new UserDatabase(this.#user.id))
    const found = { rows: await store.outbox.orderBy('createdAt').toArray(), files: await store.files.toArray() }
    store.close()
    return found
  }

  async #work(tab: Tab): Promise<void> {
    const { rows } = await this.onDisk()
    const does = this.#chance.weighted({ ask: 60, save: 20, retry: 10, discard: 10 })
    if (does === 'ask') return this.#ask(tab)
    const isMeant = ({ state }: OutboxRow) => (does === 'discard' ? state !== 'saved' : state === MEANT[does])
    const meant = rows.filter(isMeant)
    if (meant.length === 0) return
    const { id } = this.#chance.pick(meant)
    this.#say(`will ${does} a download`)
    const { code } = tab
    const owner = this.#user.id
    if (does === 'retry') this.#world.downloads.retried(id)
    else this.wishes.set(id, 'letGo')
    await tab.act(() => {
      if (does === 'save') void code.markSaved(owner, id).catch(() => undefined)
      else if (does === 'discard') void code.discardDownload(owner, id).catch(() => undefined)
      else
        void code.retryDownload(owner, id).then(
          () => code.wakeOutbox(),
          () => undefined,
        )
    })
  }

  async #ask(tab: Tab): Promise<void> {
    const intent = this.#intent()
    const id = uuidv7()
    this.#say(`asks for a ${intent.kind}`)
    const { code } = tab
    const note = (row: OutboxRow) => {
      if (!this.wishes.has(row.id)) this.wishes.set(row.id, 'wanted')
      code.wakeOutbox()
    }
    // On a full disk it is not queued, and the person is told so.
    await tab.act(() => void code.enqueueDownload(this.#user.id, id, intent, 'report.csv').then(note, () => undefined))
  }

  #intent(): ReportIntent {
    const today = singaporeDay(new Date(this.#world.timeline.now))
    const choices = { branch_guid: null, pos_guid: null, denomination_cents: null }
    const format = this.#chance.happens(0.2) ? ('xlsx' as const) : ('csv' as const)
    switch (this.#chance.weighted({ day: 4, transactions: 6, months: 3 })) {
      case 'day':
        return { kind: 'daily_report', params: { day: today, ...choices, format } }
      case 'transactions':
        return { kind: 'transaction_report', params: { from: addDays(today, -29), to: today, ...choices, format } }
      case 'months':
        return { kind: 'monthly_report', params: { from_month: '2026-01', to_month: '2026-12', ...choices, format } }
    }
  }

  #say(what: string): void {
    this.#world.say(`${this.tablet.name} ${what}`)
  }
}

const MEANT = { save: 'ready', retry: 'failed' } as const
