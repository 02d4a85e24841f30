import { Dexie } from 'dexie'
import { tillWire } from '../../src/api/tillWire.ts'
import type { TillWire } from '../../src/domain/TillWire.ts'
import { startTill } from '../../src/offline/redemptions/openTill.ts'
import type { Till } from '../../src/offline/redemptions/Till.ts'
import { readTillRows } from '../../src/offline/redemptions/tillRows.ts'
import { withRoom } from '../../src/offline/storage/withRoom.ts'
import { TillDatabase, type TillRow } from '../../src/offline/store/till.ts'
import type { Chance } from './Chance.ts'
import type { Network, Weather } from './Network.ts'
import { runIn, type Page } from './pageGlobals.ts'
import { TabLocks } from './TabLocks.ts'
import type { Timeline } from './Timeline.ts'

interface Parts {
  name: string
  /** As the server knows it. */
  tillId: string
  timeline: Timeline
  network: Network
  chance: Chance
  log: (line: string) => void
  /** An older browser has no Web Locks. */
  hasLocks: boolean
  /** Its tabs are of the release before, which uploads vouchers one by one. */
  isOlder: boolean
}

/** A device at a counter: its clocks, its disk, its connection, and the tabs that are open on it. */
export class Tablet {
  readonly name: string
  readonly parts: Parts
  weather: Weather = 'good'
  clockOffsetMs = 0
  /** The token of whoever is logged in on it. */
  token: string | undefined
  readonly locks = new TabLocks()
  tabs: readonly Tab[] = []
  /** All tabs that it has had. */
  readonly #opened: Tab[] = []
  /** The disk takes nothing more. */
  isFull = false
  readonly #disk: TillDatabase

  constructor(parts: Parts) {
    this.name = parts.name
    this.parts = parts
    this.#disk = new TillDatabase(this.diskName)
  }

  get diskName(): string {
    return `simulated ${this.parts.tillId}`
  }

  async open(): Promise<Tab> {
    const tab = new Tab(this, this.#opened.length + 1)
    this.#opened.push(tab)
    this.tabs = [...this.tabs, tab]
    this.parts.log(`${this.name} opens tab ${tab.number}`)
    await tab.start()
    return tab
  }

  /** The browser and everything in its memory is gone; what is on the disk stays. */
  kill(tab: Tab): void {
    if (!tab.isAlive) return
    tab.isAlive = false
    this.tabs = this.tabs.filter((other) => other !== tab)
    this.locks.leave(tab)
    this.parts.log(`${this.name} loses tab ${tab.number}`)
  }

  /** The world is over. What a tab still has under way must not go on in real time. */
  stop(): void {
    for (const { uploads } of this.#opened) uploads.stop()
  }

  /** What is on the disk, whoever wrote it. */
  rows = (): Promise<TillRow[]> => readTillRows(this.#disk)

  /** The connection is back: each tab hears of it, as the browser tells them. */
  async wake(): Promise<void> {
    for (const tab of this.tabs) await runIn(tab, () => tab.uploads.wakeOnReturn())
  }
}

/** The product's till, as a page of the portal starts it. */
export class Tab implements Page {
  readonly number: number
  isAlive = true
  /** After how many writes to its disk it dies: before the next one, or once that is done. */
  dies: { afterWrites: number; before: boolean } | undefined
  till!: Till
  uploads!: ReturnType<typeof startTill>['uploads']
  readonly tablet: Tablet
  readonly chance: Chance
  readonly locks: Page['locks']
  readonly #startedAt: number

  constructor(tablet: Tablet, number: number) {
    this.tablet = tablet
    this.number = number
    this.chance = tablet.parts.chance.fork()
    this.locks = tablet.parts.hasLocks ? tablet.locks.of(this) : (undefined as never)
    this.#startedAt = tablet.parts.timeline.now
  }

  wallMs = () => this.tablet.parts.timeline.now + this.tablet.clockOffsetMs
  monotonicMs = () => this.tablet.parts.timeline.now - this.#startedAt

  after = (ms: number, run: () => void) =>
    this.tablet.parts.timeline.in(ms, () => (this.isAlive ? runIn(this, run) : undefined))

  fetch = (request: Request) => this.tablet.parts.network.send(this, request)

  /** Something that the cashier does. */
  act = (run: () => unknown) => (this.isAlive ? runIn(this, run) : Promise.resolve())

  async start(): Promise<void> {
    await runIn(this, () => {
      const database = new TillDatabase(this.tablet.diskName)
      database.use({ stack: 'dbcore', name: 'faults', create: (core) => faulty(core, this) })
      void database.open()
      const wire = this.tablet.parts.isOlder ? OLDER_WIRE : tillWire
      const started = startTill({ database, wire, withRoom })
      this.till = started.till
      this.uploads = started.uploads
    })
  }

  /** Whether it dies of this write. */
  countWrite(): 'goes on' | 'dies before' | 'dies after' {
    if (!this.dies) return 'goes on'
    this.dies.afterWrites -= 1
    if (this.dies.afterWrites >= 0) return 'goes on'
    return this.dies.before ? 'dies before' : 'dies after'
  }
}

const NOT_TOGETHER = { code: 'NOT_FOUND', message: 'Not found.', data: {} }

const OLDER_WIRE: TillWire = { ...tillWire, upload: async () => ({ kind: 'refused', refused: NOT_TOGETHER }) }

type Core = Parameters<Parameters<TillDatabase['use']>[0]['create'] & object>[0]

/** A disk that is full, or the last thing that a dying tab writes to it. Of a dead one nothing is ever answered. */
const faulty = (core: Core, tab: Tab) => ({
  ...core,
  table(name: string) {
    const table = core.table(name)
    return {
      ...table,
      mutate(request: Parameters<typeof table.mutate>[0]) {
        if (!tab.isAlive) return never<Awaited<ReturnType<typeof table.mutate>>>()
        if (tab.tablet.isFull && request.type !== 'delete') return Dexie.Promise.reject(new Dexie.QuotaExceededError())
        const fate = tab.countWrite()
        if (fate === 'goes on') return table.mutate(request)
        if (fate === 'dies before') tab.tablet.kill(tab)
        else void table.mutate(request).then(() => tab.tablet.kill(tab))
        return never<Awaited<ReturnType<typeof table.mutate>>>()
      },
    }
  },
})

const never = <T>() => new Dexie.Promise<T>(() => undefined)
