/**
 * A presigned PUT fills `incoming/`; only checked files are written to `stored/`, and only those can be read from outside. So an address that is
 * still valid cannot change a file after its check, even if the store ignores conditions.
 */
export type ObjectName = `${'incoming' | 'stored'}/${string}`

export interface PresignedPut {
  url: string
  /** Headers that the browser has to send; it sends the length by itself. */
  headers: Record<string, string>
  expiresAt: Date
}

interface PutTerms {
  contentType: string
  /** The exact number of bytes. */
  contentLength: number
}

interface GetTerms {
  contentType: string
  contentDisposition: string
}

/** Stores uploaded files. Throws Unavailable if it is a separate service that does not answer. */
export interface FileStore {
  /** The origin that browsers talk to, when it is not the portal's own. */
  origin: string | undefined
  presignPut(name: ObjectName, terms: PutTerms): Promise<PresignedPut>
  /** Returns an address that serves the file for `seconds`. */
  presignGet(name: ObjectName, terms: GetTerms, seconds: number): Promise<string>
  /** Returns the file's bytes; `undefined` when it does not exist. Reads at most `atMost` bytes: a longer file is cut. */
  read(name: ObjectName, atMost: number): Promise<Uint8Array | undefined>
  write(name: ObjectName, bytes: Uint8Array, contentType: string): Promise<void>
  /** Removes the file, if it exists. */
  remove(name: ObjectName): Promise<void>
}

export const PUT_SECONDS = 5 * 60

/** Another service that a call depends on is away, slow or refuses the call: the request may be tried again. */
export class Unavailable extends Error {
  override name = 'Unavailable' as const
  readonly code: 'STORE_UNAVAILABLE' | 'CAPTCHA_UNAVAILABLE'

  constructor(code: Unavailable['code'], cause: unknown) {
    super(reasonOf(cause), { cause })
    this.code = code
  }
}

/** Finds the reason below the "fetch failed" of `fetch`. It has only a code when several addresses failed. */
function reasonOf(cause: unknown): string {
  const reason: unknown = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return reason instanceof Error ? reason.message || String((reason as NodeJS.ErrnoException).code) : String(reason)
}
