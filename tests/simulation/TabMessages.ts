interface Holder {
  after: (ms: number, run: () => void) => unknown
}

interface Told {
  key?: string
  data?: unknown
}

type Listener = (event: Told) => void

interface Channel {
  tab: Holder
  name: string
  listener: Listener | undefined
}

/** Carries messages between the tabs of one browser: local storage and broadcast channels. They arrive a moment later, as in a browser. */
export class TabMessages {
  readonly #stored = new Map<string, string>()
  #channels: Channel[] = []

  /** `localStorage`, shared by all tabs. */
  readonly localStorage = {
    getItem: (key: string) => this.#stored.get(key) ?? null,
    setItem: (key: string, value: string) => void this.#stored.set(key, value),
    removeItem: (key: string) => void this.#stored.delete(key),
  }

  /** `BroadcastChannel`, as `tab` sees it. */
  of(tab: Holder) {
    const open = (name: string) => {
      const channel: Channel = { tab, name, listener: undefined }
      this.#channels.push(channel)
      return channel
    }
    const post = (from: Channel, data: unknown) => this.#post(from, data)
    return class {
      readonly #channel: Channel

      constructor(name: string) {
        this.#channel = open(name)
      }

      set onmessage(listener: Listener) {
        this.#channel.listener = listener
      }

      addEventListener(_: 'message', listener: Listener) {
        this.#channel.listener = listener
      }

      postMessage(data: unknown) {
        post(this.#channel, data)
      }
    }
  }

  leave(tab: Holder): void {
    this.#channels = this.#channels.filter((channel) => channel.tab !== tab)
  }

  #post(from: Channel, data: unknown): void {
    for (const { tab, name, listener } of this.#channels) {
      if (name !== from.name || tab === from.tab || !listener) continue
      const copy: unknown = structuredClone(data)
      tab.after(1, () => listener({ data: copy }))
    }
  }
}
