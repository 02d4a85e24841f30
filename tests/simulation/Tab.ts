import type { DBCore, DBCoreTable } from 'dexie'
import type { Till } from '../../src/offline/redemptions/Till.ts'
import { openPage, type PageCode } from './buildPage.ts'
import type { Chance } from './Chance.ts'
import type { Page, PageWindow } from './pageWindow.ts'
import { untilStill } from './stillness.ts'
import type { Tablet } from './Tablet.ts'

/** A page of the portal, as it starts itself, with all that a browser gives to it. */
export class Tab implements Page {
  readonly number: number
  isAlive = true
  /** After how many writes to its disk it dies: before the next one, or once that is done. */
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

  /** Something that a person does, or that happens to it, with all that follows until only time or the network can go on. */
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

  /** A disk that is full, or the last thing that a dying tab writes to it. Of a dead one nothing is ever answered. */
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

  /** With its page a transaction goes that was not over, with all its writes. Of one that is over the page hears no more. */
  #dieOf(transaction: IDBTransaction): void {
    const fate = this.#countWrite()
    if (fate === 'goes on') return
    Object.assign(transaction, { onabort: null, onerror: null, oncomplete: () => this.tablet.kill(this) })
    if (fate === 'dies after') return
    transaction.abort()
    this.tablet.kill(this)
  }

  /** Whether it dies of this write. */
  #countWrite(): 'goes on' | 'dies before' | 'dies after' {
    if (!this.dies) return 'goes on'
    this.dies.afterWrites -= 1
    if (this.dies.afterWrites >= 0) return 'goes on'
    return this.dies.before ? 'dies before' : 'dies after'
  }
}
