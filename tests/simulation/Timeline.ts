interface Event {
  at: number
  order: number
  run: () => Promise<unknown> | undefined
}

/** Virtual time: what is to happen, in its order. Nothing waits for a real clock. Milliseconds since the epoch. */
export class Timeline {
  now: number
  /** How many events have happened. */
  steps = 0
  #order = 0
  /** A heap: the next event first. */
  readonly #events: Event[] = []

  readonly #moved: (now: number) => void

  /** `moved` is told each moment before something happens in it: whoever has a clock sets it. */
  constructor(start: number, moved: (now: number) => void) {
    this.now = start
    this.#moved = moved
    moved(start)
  }

  /** `run` once `after` milliseconds have gone by; of two at the same moment, the one that was said first. Answers what calls it off. */
  in(after: number, run: Event['run']): () => void {
    const event = { at: this.now + Math.max(0, after), order: (this.#order += 1), run }
    this.#push(event)
    return () => {
      event.run = () => undefined
    }
  }

  /** Lets the next event happen, if it is due by `until`; answers whether there was one. */
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
