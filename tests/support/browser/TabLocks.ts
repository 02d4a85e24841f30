interface Lock {
  tab: Holder
  name: string
  isShared: boolean
}

interface Holder {
  after: (ms: number, run: () => void) => unknown
}

/** `rob` ends the request with an error, while its work goes on. */
type Held = Lock & { rob: () => void }

type Work = (lock: unknown) => unknown

interface Options {
  ifAvailable?: boolean
  mode?: 'exclusive' | 'shared'
  steal?: boolean
  signal?: AbortSignal
}

/** The Web Locks of one browser. A tab that dies releases its locks and stops waiting for others. */
export class TabLocks {
  #held: Held[] = []
  #waiting: (Lock & { go: (held: Held) => void })[] = []
  readonly #ids = new Map<Holder, string>()

  /** Returns `navigator.locks` for `tab`. */
  of(tab: Holder) {
    this.#ids.set(tab, `client-${this.#ids.size}`)
    return {
      request: (name: string, ...rest: [Work] | [Options, Work]) => {
        const [{ mode, ...options }, work] = rest.length === 1 ? [{} as Options, rest[0]] : rest
        return this.#request({ tab, name, isShared: mode === 'shared' }, work, options)
      },
      query: () =>
        Promise.resolve({ held: this.#held.map(({ name, tab: by }) => ({ name, clientId: this.#ids.get(by) })) }),
    }
  }

  leave(tab: Holder): void {
    this.#waiting = this.#waiting.filter((one) => one.tab !== tab)
    this.#held = this.#held.filter((one) => one.tab !== tab)
    this.#grantNext()
  }

  async #request(lock: Lock, work: Work, { ifAvailable, steal, signal }: Options): Promise<unknown> {
    if (steal) this.#rob(lock.name)
    if (ifAvailable && this.#isTaken(lock)) return work(null)
    const held = this.#isTaken(lock) ? await this.#turn(lock, signal) : this.#hold(lock)
    const robbed = new Promise<never>((_, reject) => {
      held.rob = () => reject(new DOMException('The lock was stolen.', 'AbortError'))
    })
    const run = async () => work(held)
    const done = run().finally(() => this.#letGo(held))
    return Promise.race([done, robbed])
  }

  #turn(lock: Lock, signal: AbortSignal | undefined): Promise<Held> {
    return new Promise((go, reject) => {
      const mine = { ...lock, go }
      this.#waiting.push(mine)
      signal?.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((one) => one !== mine)
        reject(signal.reason as Error)
      })
    })
  }

  #rob(name: string) {
    const robbed = this.#held.filter((one) => one.name === name)
    this.#held = this.#held.filter((one) => one.name !== name)
    for (const { rob } of robbed) rob()
  }

  #hold(lock: Lock): Held {
    const held = { ...lock, rob: () => undefined }
    this.#held.push(held)
    return held
  }

  #letGo(held: Held) {
    this.#held = this.#held.filter((one) => one !== held)
    this.#grantNext()
  }

  #isTaken({ name, isShared }: Lock): boolean {
    return this.#held.some((one) => one.name === name && !(isShared && one.isShared))
  }

  /** Takes the lock before the waiting work runs in its own tab, so that no other request gets it in between. */
  #grantNext() {
    for (const one of this.#waiting) {
      if (this.#isTaken(one)) continue
      this.#waiting = this.#waiting.filter((other) => other !== one)
      const { go, ...lock } = one
      const held = this.#hold(lock)
      lock.tab.after(0, () => go(held))
    }
  }
}
