import { Dexie } from 'dexie'
import { IDBFactory } from 'fake-indexeddb'
import { readTillRows } from '../../src/offline/redemptions/tillRows.ts'
import { TillDatabase, type TillRow } from '../../src/offline/store/till.ts'
import { TabLocks } from '../support/browser/TabLocks.ts'
import type { Chance } from './Chance.ts'
import type { Network, Weather } from './Network.ts'
import { Tab } from './Tab.ts'
import { TabMessages } from './TabMessages.ts'
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
}

/** A device: its clocks, its disk, its connection, its browser, and the tabs that are open on it. */
export class Tablet {
  readonly name: string
  readonly parts: Parts
  weather: Weather = 'good'
  weatherSince: number
  clockOffsetMs = 0
  /** Of whoever is logged in on it, as its browser stores them. */
  token: string | undefined
  /** Of the till that it is, as its browser sends it with each call. */
  tillCookie: string | undefined
  readonly locks = new TabLocks()
  readonly messages = new TabMessages()
  /** The last one is in front of the others. */
  tabs: readonly Tab[] = []
  /** The disk takes nothing more. */
  isFull = false
  /** Nobody opens its browser any more. */
  isShut = false
  readonly disk = new IDBFactory()
  #opened = 0

  constructor(parts: Parts) {
    this.name = parts.name
    this.parts = parts
    this.weatherSince = parts.timeline.now
  }

  async open(): Promise<Tab> {
    const tab = new Tab(this, (this.#opened += 1))
    this.tabs = [...this.tabs, tab]
    this.parts.log(`${this.name} opens tab ${tab.number}`)
    await tab.start()
    return tab
  }

  /** The browser and everything in its memory is gone; what is on the disk stays. */
  kill(tab: Tab): void {
    if (!tab.isAlive) return
    this.leave(tab)
    this.parts.log(`${this.name} loses tab ${tab.number}`)
  }

  leave(tab: Tab): void {
    tab.isAlive = false
    this.tabs = this.tabs.filter((other) => other !== tab)
    for (const shared of [this.locks, this.messages]) shared.leave(tab)
  }

  /** What the server answered, past its network, may set its cookie. */
  becomesTill(answer: Response): void {
    const [cookie] = answer.headers.getSetCookie()
    if (cookie?.startsWith('till=')) this.tillCookie = cookie.split(';')[0]
  }

  /** The server has said so of this token. */
  endSession(token: string | undefined): void {
    if (token === this.token) this.token = undefined
  }

  /** Somebody takes this one of its tabs to the front. */
  show(tab: Tab): void {
    const before = this.tabs.at(-1)
    if (!before || before === tab) return
    this.tabs = [...this.tabs.filter((other) => other !== tab), tab]
    for (const one of [before, tab])
      one.after(0, () => one.window.document.dispatchEvent(new Event('visibilitychange')))
  }

  /** As the browser tells its tabs of it. */
  become(weather: Weather): void {
    const was = this.isOnLine
    this.weather = weather
    this.weatherSince = this.parts.timeline.now
    if (was === this.isOnLine) return
    const name = this.isOnLine ? 'online' : 'offline'
    for (const tab of this.tabs) tab.after(0, () => tab.window.dispatchEvent(new Event(name)))
  }

  get isOnLine(): boolean {
    return this.weather !== 'away'
  }

  /** What is on the disk, whoever wrote it. */
  async rows(): Promise<TillRow[]> {
    Dexie.dependencies.indexedDB = this.disk
    const till = new TillDatabase()
    const rows = await readTillRows(till)
    till.close()
    return rows
  }
}
