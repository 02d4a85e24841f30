import type { DrillScenario } from '../../domain/drill.ts'
import { DRILL_DATABASE } from './drill.ts'

/**
 * Two hours behind: beyond every tolerance, and a wall clock that goes back is what a till must notice. Ahead, the limit of
 * inactivity would end the session before anything could be seen.
 */
const WRONG_BY_MS = -2 * 60 * 60_000

const RealDate = Date
const { put, add } = IDBObjectStore.prototype
let onRefused: (store: string) => void = () => undefined

/** From now on each refused write is told. */
export const onRefusedWrite = (tell: (store: string) => void): void => void (onRefused = tell)

/** Outages that no line knows: the device's clock and its storage, in this page or worker. Any other scenario heals both. */
export function simulateDeviceFault(scenario: DrillScenario | undefined): void {
  globalThis.Date = scenario === 'wrongClock' ? WrongDate : RealDate
  const isFull = scenario === 'fullStorage'
  IDBObjectStore.prototype.put = isFull ? refusing(put) : put
  IDBObjectStore.prototype.add = isFull ? refusing(add) : add
}

const WrongDate = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [wrongNow()] : args, newTarget) as Date,
  get: (target, key) => (key === 'now' ? wrongNow : (Reflect.get(target, key) as unknown)),
})

const wrongNow = () => RealDate.now() + WRONG_BY_MS

/** The drill goes on writing down what it sees. */
function refusing<W extends typeof put>(write: W): W {
  return function (this: IDBObjectStore, ...args: Parameters<W>) {
    if (this.transaction.db.name === DRILL_DATABASE) return write.apply(this, args)
    onRefused(this.name)
    throw new DOMException('The drill says that this device is full.', 'QuotaExceededError')
  } as W
}
