import { Dexie } from 'dexie'

/** A database whose opening the page follows, to say so when it does not open. The worker has nobody to say it to. */
export abstract class WatchedDatabase extends Dexie {
  whenOpening: ((opening: PromiseLike<unknown>) => void) | undefined

  /** Dexie comes through here too, when an operation finds the database closed. */
  override open() {
    const opening = super.open()
    this.whenOpening?.(opening)
    return opening
  }
}
