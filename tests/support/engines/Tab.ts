/** One tab of any engine, with no more than the tests of all engines need. Page objects are built on it. */
export interface Tab {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** Runs `work` in the page. Throws if another page is loaded before it ends. */
  evaluate<R>(work: () => R | Promise<R>): Promise<R>
  evaluate<A, R>(work: (given: A) => R | Promise<R>, given: A): Promise<R>
  click(x: number, y: number): Promise<void>
  /** Types keys as fast as the engine takes them, like a hand scanner. "\n" is Enter. */
  type(keys: string): Promise<void>
  screenshot(): Promise<Buffer>
}

/** One browser with a profile of its own, in `folder`. */
export interface Device {
  newTab(): Promise<Tab>
  /** Returns the errors of pages on the console. */
  complaints(): string[]
  /** The folder of saved files. */
  downloads: string
  close(): Promise<void>
}

/** Settings of a browser before it starts. Each is a switch of the browser, not a change in the page. */
export interface DeviceOptions {
  /** The folder of the device's profile. */
  folder: string
  /** The origin of the portal. */
  origin: string
  privateMode?: boolean
  /** Switches IndexedDB off. */
  noDatabase?: boolean
  /** The storage limit of an origin, in kilobytes. */
  quota?: number
  /** True if `origin` is behind nginx, with a certificate that no authority has signed. WebKit only. */
  https?: boolean
  /** There is a camera, but pages may not use it. */
  refuseCamera?: boolean
}
