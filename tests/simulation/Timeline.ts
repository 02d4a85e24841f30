interface Event {
  at: number
  order: number
  run: () => Promise<unknown> | undefined
}

/** Virtual time in milliseconds since the epoch: runs events in their order, without waiting for a real clock. */
export class Timeline {
  now: number
  /** Number of events so far. */
  steps = 0
  #order = 0
  /** A heap: the next event is first. */
  readonly #events: Event[] = []

  readonly #moved: (now: number) => void

  /** `moved` is called at each moment before its events, so that clocks can be set. */
  constructor(start: number, moved: (now: number) => void) {
    this.now = start
    this.#moved = moved
    moved(start)
  }

  /** Calls `run` after `after` milliseconds; at the same moment, the event added first goes first. Returns a function that cancels it. */
  in(after: number, run: Event['run']): () => void {
    const event = { at: this.now + Math.max(0, after), order: (this.#order += 1), run }
    this.#push(event)
    return () => {
      event.run = () => undefined
    }
  }

  /** Runs the next event if it is due by `until`; returns false when there is none. */
  async step(until: number): Promise<boolean> {
    const next = this.#events[0]
    if (!next || next.at > until) {
      this.#move(until)
      return false
    }
    this.#pop()
    this.#move(next.at)
    this.steps += 1
    await next.run()
    return true
  }

  #move(to: number) {
    this.now = Math.max(this.now, to)
    this.#moved(this.now)
  }

  #push(event: Event) {
    const heap = this.#events
    let at = heap.push(event) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (isSooner(heap[above]!, event)) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = event
  }

  #pop() {
    const heap = this.#events
    const last = heap.pop()!
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isSooner(heap[below + 1]!, heap[below]!)) below += 1
      if (isSooner(last, heap[below]!)) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = last
  }
}

const isSooner = (one: Event, other: Event) => one.at < other.at || (one.at === other.at && one.order < other.order)
