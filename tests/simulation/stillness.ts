/** Number of unfinished tasks that pages have begun in Node: steps of IndexedDB, and reading of requests. */
let underWay = 0

const { setImmediate: afterTurn } = globalThis

/** Counts the steps of IndexedDB from now on: fake-indexeddb takes each in its own turn of the event loop. */
export function countSteps(): void {
  const counted = (run: (...args: unknown[]) => void, ...args: unknown[]) => {
    underWay += 1
    return afterTurn(() => {
      underWay -= 1
      run(...args)
    })
  }
  Object.assign(globalThis, { setImmediate: counted })
}

/** Counts `work`, Node's own, for which a page waits. */
export async function counting<T>(work: Promise<T>): Promise<T> {
  underWay += 1
  try {
    return await work
  } finally {
    underWay -= 1
  }
}

/** Promises run between two turns of the event loop; everything that still goes on after three turns is counted in `underWay`. */
const STILL_TURNS = 3

/** Calls `act` and waits until only time or the network can go on. */
export async function untilStill(act: () => unknown): Promise<void> {
  act()
  for (let still = 0; still < STILL_TURNS; still = underWay === 0 ? still + 1 : 0)
    await new Promise((turn) => afterTurn(turn))
}
