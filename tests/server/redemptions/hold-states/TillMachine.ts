import { Dexie } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { readTillRows } from '../../../../src/offline/redemptions/tillRows.ts'
import { TillDatabase, type TillRow } from '../../../../src/offline/store/till.ts'
import {
  numberOf,
  type Act,
  type Answer,
  type HoldName,
  type Request,
  type Row,
  type TillName,
  type TillState,
} from './states.ts'
import { TestPage } from './TestPage.ts'

/** How far a till comes with an act and the answers to what it asked: to its end, or to something more that it asks. */
export interface Reached {
  state: TillState
  asks?: Request
}

/**
 * The real till as a function. What its code waits for cannot be copied, so each act is done anew from its beginning, with the
 * answers so far, on a disk that is as it was.
 */
export class TillMachine {
  readonly #reached = new Map<string, Reached>()
  readonly #database: TillDatabase

  constructor() {
    Dexie.dependencies.indexedDB = new IDBFactory()
    Dexie.dependencies.IDBKeyRange = IDBKeyRange
    this.#database = new TillDatabase('every state')
  }

  close(): void {
    this.#database.close()
  }

  async act(till: TillName, from: TillState, act: Act, answers: readonly Answer[]): Promise<Reached> {
    // Both tills are the same code: one does it for the other.
    const key = `${numberOf(from)} ${act} ${answers.join('|')}`
    let reached = this.#reached.get(key)
    if (!reached) {
      reached = await this.#act(from, act, answers)
      this.#reached.set(key, reached)
    }
    const { state, asks } = reached
    const here = (hold: HoldName) => `${till}${hold.slice(1)}` as HoldName
    return asks ? { state, asks: { ...asks, hold: here(asks.hold) } } : { state }
  }

  async #act(from: TillState, act: Act, answers: readonly Answer[]): Promise<Reached> {
    const page = new TestPage(this.#database)
    const ids = await page.restore(from)
    const waits = page.hear(answers)
    const done = page.do(act, ids).then(() => undefined)
    const asked = await Promise.race([done, waits])
    const rows = await readTillRows(this.#database)
    const names = [...ids, ...rows.map(({ id }) => id).filter((id) => !ids.includes(id))]
    const nameOf = (id: string) => `A${names.indexOf(id) + 1}` as HoldName
    const kept = rows.toSorted((one, other) => names.indexOf(one.id) - names.indexOf(other.id))
    const inHand = kept.findIndex(({ id, state }) => state === 'held' && page.lives.has(id))
    const state: TillState = {
      rows: kept.map(rowOf),
      ...(inHand < 0 ? {} : { inHand: { row: inHand, isOver: from.inHand?.isOver ?? false } }),
    }
    return asked ? { state, asks: { ask: asked.ask, hold: nameOf(asked.id) } } : { state }
  }
}

/** A row of a hold is never accepted without a check. */
const rowOf = ({ state, sent, attempts, restsForLine, voidingAt }: TillRow): Row => ({
  state: state as Row['state'],
  isSent: sent,
  isTried: attempts > 0 || restsForLine === true,
  isVoidSent: voidingAt !== undefined,
})
