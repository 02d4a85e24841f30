/** One tab of any engine: as little of it as the tests of all engines need. Page objects build on it. */
export interface Tab {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** Runs in the page, which may be a new one before it is over: then it throws. */
  evaluate<R>(work: () => R | Promise<R>): Promise<R>
  evaluate<A, R>(work: (given: A) => R | Promise<R>, given: A): Promise<R>
  click(x: number, y: number): Promise<void>
  /** Keys as fast as the engine takes them, like those of a hand scanner. "\n" is Enter. */
  type(keys: string): Promise<void>
  screenshot(): Promise<Buffer>
}

/** One browser with a profile of its own, which lies in `folder`. */
export interface Device {
  newTab(): Promise<Tab>
  /** What pages complained about on the console. */
  complaints(): string[]
  /** Where saved files go. */
  downloads: string
  close(): Promise<void>
}

/** What a browser may be told before it starts: each a switch of its own, none of it an act in the page. */
export interface DeviceOptions {
  /** What the device keeps lies here. */
  folder: string
  /** Of the portal. */
  origin: string
  privateMode?: boolean
  /** IndexedDB is switched off. */
  noDatabase?: boolean
  /** Kilobytes that an origin may store. */
  quota?: number
  /** `origin` is one of nginx, whose certificate no authority has signed. WebKit alone. */
  https?: boolean
  /** There is a camera, and it may not be used. */
  refuseCamera?: boolean
}
