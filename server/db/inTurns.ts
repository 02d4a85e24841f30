import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The same pieces, with a turn of the event loop after each for whoever else asks. As long as the database is the faster one the next
 * is there at once.
 */
export async function* yieldingToEventLoop<T>(pieces: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  for await (const piece of pieces) {
    yield piece
    await nextTurn()
  }
}
