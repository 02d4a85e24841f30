interface Lock {
  tab: Holder
  name: string
  isShared: boolean
}

interface Holder {
  after: (ms: number, run: () => void) => unknown
}

type Work = (lock: unknown) => unknown

interface Options {
  ifAvailable?: boolean
  mode?: 'exclusive' | 'shared'
}

/** The Web Locks of one browser. A tab that dies lets go of its own, and of those it waits for. */
export class TabLocks {
  #held: Lock[] = []
  #waiting: (Lock & { go: (held: Lock) => void })[] = []

  /** `navigator.locks` as `tab` sees it. */
  of(tab: Holder) {
    return {
      request: (name: string, ...rest: [Work] | [Options, Work]) => {
        const [{ ifAvailable, mode }, work] = rest.length === 1 ? [{} as Options, rest[0]] : rest
        return this.#request({ tab, name, isShared: mode === 'shared' }, work, ifAvailable)
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
    if (ifAvailable && this.#isTaken(lock)) return work(null)
    const held = this.#isTaken(lock)
      ? await new Promise<Lock>((go) => this.#waiting.push({ ...lock, go }))
      : this.#hold(lock)
    try {
      return await work(held)
    } finally {
      this.#held = this.#held.filter((one) => one !== held)
      this.#grantNext()
    }
  }

  #hold(lock: Lock): Lock {
    this.#held.push(lock)
    return lock
  }

  #isTaken({ name, isShared }: Lock): boolean {
    return this.#held.some((one) => one.name === name && !(isShared && one.isShared))
  }

  /** It is held before its work goes on, which is that of its own tab, whichever let go: nobody slips in between. */
  #grantNext() {
    for (const one of this.#waiting) {
      if (this.#isTaken(one)) continue
      this.#waiting = this.#waiting.filter((other) => other !== one)
      const { go, ...lock } = one
      this.#hold(lock)
      lock.tab.after(0, () => go(lock))
    }
  }
}
