/**
 * A presigned PUT fills `incoming/`; only what was checked is written to `stored/`, and only that can be read from outside.
 * So an address that is still good cannot change a file after its check, whatever the store makes of conditions.
 */
export type ObjectName = `${'incoming' | 'stored'}/${string}`

export interface PresignedPut {
  url: string
  /** What the browser has to send along; it sends the length by itself. */
  headers: Record<string, string>
  expiresAt: Date
}

interface PutTerms {
  contentType: string
  /** Bytes, exactly. */
  contentLength: number
}

interface GetTerms {
  contentType: string
  contentDisposition: string
}

/** Where uploaded files lie. Throws Unavailable where it is a service of its own and does not answer. */
export interface FileStore {
  /** The origin that browsers talk to, when it is not the portal's own. */
  origin: string | undefined
  presignPut(name: ObjectName, terms: PutTerms): Promise<PresignedPut>
  /** An address that gives the file for `seconds`. */
  presignGet(name: ObjectName, terms: GetTerms, seconds: number): Promise<string>
  /** Its bytes; `undefined` when it is not there. `atMost` bounds what is read: a longer file comes cut. */
  read(name: ObjectName, atMost: number): Promise<Uint8Array | undefined>
  write(name: ObjectName, bytes: Uint8Array, contentType: string): Promise<void>
  /** Not being there is fine. */
  remove(name: ObjectName): Promise<void>
}

export const PUT_SECONDS = 5 * 60

/** Another service that a call depends on is away, slow or refuses us: the request may be tried again. */
export class Unavailable extends Error {
  override name = 'Unavailable' as const
  readonly code: 'STORE_UNAVAILABLE' | 'CAPTCHA_UNAVAILABLE'

  constructor(code: Unavailable['code'], cause: unknown) {
    super(reasonOf(cause), { cause })
    this.code = code
  }
}

/** `fetch` says "fetch failed" and has the reason below it, which has a code alone where each of several addresses failed. */
function reasonOf(cause: unknown): string {
  const reason: unknown = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return reason instanceof Error ? reason.message || String((reason as NodeJS.ErrnoException).code) : String(reason)
}
