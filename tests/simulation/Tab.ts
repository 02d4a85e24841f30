import type { DBCore, DBCoreTable } from 'dexie'
import type { Till } from '../../src/offline/redemptions/Till.ts'
import { openPage, type PageCode } from './buildPage.ts'
import type { Chance } from './Chance.ts'
import type { Page, PageWindow } from './pageWindow.ts'
import { untilStill } from './stillness.ts'
import type { Tablet } from './Tablet.ts'

/** A tab with the portal's page, which starts as in a browser and gets everything a browser provides. */
export class Tab implements Page {
  readonly number: number
  isAlive = true
  /** Makes the tab die at a write to its disk: after so many writes, before or after the next one. */
  dies: { afterWrites: number; before: boolean } | undefined
  window!: PageWindow
  code!: PageCode
  till!: Till
  readonly tablet: Tablet
  readonly chance: Chance
  readonly browser: Page['browser']
  readonly startedAt: number

  constructor(tablet: Tablet, number: number) {
    const { messages, locks, disk, parts } = tablet
    this.tablet = tablet
    this.number = number
    this.chance = parts.chance.fork()
    this.browser = {
      locks: parts.hasLocks ? locks.of(this) : undefined,
      indexedDB: disk,
      localStorage: messages.localStorage,
      BroadcastChannel: messages.of(this),
    }
    this.startedAt = parts.timeline.now
  }

  wallMs = () => this.tablet.parts.timeline.now + this.tablet.clockOffsetMs
  monotonicMs = () => this.tablet.parts.timeline.now - this.startedAt
  after = (ms: number, run: () => void) => this.tablet.parts.timeline.in(ms, () => this.act(run))
  fetch = (request: Request) =>
    this.isAlive ? this.tablet.parts.network.send(this, request) : new Promise<Response>(() => undefined)
  isOnLine = () => this.tablet.isOnLine
  isHidden = () => this.tablet.tabs.at(-1) !== this

  /** Does something in the tab, and waits until only time or the network can go on. */
  act = (run: () => unknown): Promise<void> => (this.isAlive ? untilStill(run) : Promise.resolve())

  async start(): Promise<void> {
    const { tablet } = this
    const { parts } = tablet
    await this.act(() => {
      Object.assign(this, openPage(this))
      this.code.Dexie.addons.push((database) =>
        database.use({ stack: 'dbcore', name: 'faults', create: (core) => this.#faulty(core) }),
      )
      this.code.startPage({
        getToken: () => tablet.token,
        onRefreshed: (token) => {
          tablet.token = token
        },
        onUnauthorized: (_, token) => tablet.endSession(token),
        serverNow: () => parts.timeline.now,
        onVerdict: (verdict) => parts.log(`${tablet.name} tab ${this.number} is ${verdict}`),
        onTill: (till) => {
          this.till = till
        },
      })
    })
  }

  /** Makes the disk faulty: a full disk refuses writes, and a dying tab stops at one. A dead tab never gets an answer. */
  #faulty(core: DBCore): DBCore {
    const { Dexie } = this.code
    const table = (name: string): DBCoreTable => {
      const whole = core.table(name)
      const mutate: DBCoreTable['mutate'] = (request) => {
        if (!this.isAlive) return new Dexie.Promise(() => undefined)
        if (this.tablet.isFull && request.type !== 'delete') return Dexie.Promise.reject(new Dexie.QuotaExceededError())
        this.#dieOf(request.trans as IDBTransaction)
        return this.isAlive ? whole.mutate(request) : new Dexie.Promise(() => undefined)
      }
      return { ...whole, mutate }
    }
    return { ...core, table }
  }

  /** When the tab dies, an unfinished transaction is lost with all its writes. After a finished one the page hears no more. */
  #dieOf(transaction: IDBTransaction): void {
    const fate = this.#countWrite()
    if (fate === 'goes on') return
    Object.assign(transaction, { onabort: null, onerror: null, oncomplete: () => this.tablet.kill(this) })
    if (fate === 'dies after') return
    transaction.abort()
    this.tablet.kill(this)
  }

  /** Counts a write, and returns what happens to the tab at it. */
  #countWrite(): 'goes on' | 'dies before' | 'dies after' {
    if (!this.dies) return 'goes on'
    this.dies.afterWrites -= 1
    if (this.dies.afterWrites >= 0) return 'goes on'
    return this.dies.before ? 'dies before' : 'dies after'
  }
}
