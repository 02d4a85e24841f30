/** Where a call came from, as the owner of an account may want to recognise it. */
export interface Caller {
  ipAddress: string
  /** "Chrome on Windows". */
  device: string
  /** The cookie of a browser that has signed in before. */
  deviceToken: string | undefined
}
