/** What pages have begun and Node has not come to yet: steps of IndexedDB, and reading what is sent. */
let underWay = 0

const { setImmediate: afterTurn } = globalThis

/** Counts the steps of IndexedDB from now on: fake-indexeddb takes each in a turn of its own. */
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

/** Work of Node's own that a page waits for. */
export async function counting<T>(work: Promise<T>): Promise<T> {
  underWay += 1
  try {
    return await work
  } finally {
    underWay -= 1
  }
}

/** Promises take their turns between two of Node's; what still moves after three of them in a row is counted. */
const STILL_TURNS = 3

/** Lets `act` happen, with all that follows from it until only time or the network can go on. */
export async function untilStill(act: () => unknown): Promise<void> {
  act()
  for (let still = 0; still < STILL_TURNS; still = underWay === 0 ? still + 1 : 0)
    await new Promise((turn) => afterTurn(turn))
}
