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
  /** The till's id at the server. */
  tillId: string
  timeline: Timeline
  network: Network
  chance: Chance
  log: (line: string) => void
  /** False for an older browser without Web Locks. */
  hasLocks: boolean
}

/** A device: its clocks, disk, connection and browser, and the open tabs. */
export class Tablet {
  readonly name: string
  readonly parts: Parts
  weather: Weather = 'good'
  weatherSince: number
  clockOffsetMs = 0
  /** Token of the user logged in, as the browser stores it. */
  token: string | undefined
  /** Cookie of the till, which the browser sends with each call. */
  tillCookie: string | undefined
  readonly locks = new TabLocks()
  readonly messages = new TabMessages()
  /** The last tab is in front of the others. */
  tabs: readonly Tab[] = []
  /** True while the disk takes no more data. */
  isFull = false
  /** True when its browser is not opened any more. */
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

  /** Ends the tab with everything in memory; the disk keeps its data. */
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

  /** Takes the cookie from the server's answer, which did not go through the simulated network. */
  becomesTill(answer: Response): void {
    const [cookie] = answer.headers.getSetCookie()
    if (cookie?.startsWith('till=')) this.tillCookie = cookie.split(';')[0]
  }

  /** Called when the server has ended the session of this token. */
  endSession(token: string | undefined): void {
    if (token === this.token) this.token = undefined
  }

  /** Brings one of its tabs to the front. */
  show(tab: Tab): void {
    const before = this.tabs.at(-1)
    if (!before || before === tab) return
    this.tabs = [...this.tabs.filter((other) => other !== tab), tab]
    for (const one of [before, tab])
      one.after(0, () => one.window.document.dispatchEvent(new Event('visibilitychange')))
  }

  /** Changes the connection, and tells the tabs as a browser does. */
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

  /** The rows on the disk, of all tabs. */
  async rows(): Promise<TillRow[]> {
    Dexie.dependencies.indexedDB = this.disk
    const till = new TillDatabase()
    const rows = await readTillRows(till)
    till.close()
    return rows
  }
}
