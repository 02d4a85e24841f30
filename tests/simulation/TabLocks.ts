interface Lock {
  tab: Holder
  name: string
}

interface Holder {
  after: (ms: number, run: () => void) => unknown
}

type Work = (lock: unknown) => unknown

/** The Web Locks of one browser, for exclusive locks. A tab that dies lets go of its own, and of those it waits for. */
export class TabLocks {
  #held: Lock[] = []
  #waiting: (Lock & { go: () => void })[] = []

  /** `navigator.locks` as `tab` sees it. */
  of(tab: Holder) {
    return {
      request: (name: string, ...rest: [Work] | [{ ifAvailable?: boolean }, Work]) => {
        const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest
        return this.#request({ tab, name }, work, options.ifAvailable)
      },
      query: () => Promise.resolve({ held: this.#held.map(({ name }) => ({ name })) }),
    }
  }

  leave(tab: Holder): void {
    this.#waiting = this.#waiting.filter((one) => one.tab !== tab)
    this.#held = this.#held.filter((one) => one.tab !== tab)
    this.#grantNext()
  }

  async #request(lock: Lock, work: Work, ifAvailable = false): Promise<unknown> {
    if (ifAvailable && this.#isHeld(lock.name)) return work(null)
    if (this.#isHeld(lock.name)) await new Promise<void>((go) => this.#waiting.push({ ...lock, go }))
    else this.#held.push(lock)
    try {
      return await work(lock)
    } finally {
      this.#held = this.#held.filter(({ tab, name }) => tab !== lock.tab || name !== lock.name)
      this.#grantNext()
    }
  }

  #isHeld(name: string): boolean {
    return this.#held.some((one) => one.name === name)
  }

  /** It is held before its work goes on, which is that of its own tab, whichever let go: nobody slips in between. */
  #grantNext() {
    for (const one of this.#waiting) {
      if (this.#isHeld(one.name)) continue
      this.#waiting = this.#waiting.filter((other) => other !== one)
      this.#held.push({ tab: one.tab, name: one.name })
      one.tab.after(0, one.go)
    }
  }
}
