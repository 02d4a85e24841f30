/**
 * The name of a file. A presigned PUT writes to `incoming/`. Only checked files are written to `stored/`, and only those can be read from outside. So
 * a presigned address cannot change a file after its check, even if the store ignores `If-None-Match`.
 */
export type ObjectName = `${'incoming' | 'stored'}/${string}`

export interface PresignedPut {
  url: string
  /** Headers that the browser must send. It adds the length itself. */
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

/** Stores uploaded files. The methods throw Unavailable when the disk or the storage service fails. */
export interface FileStore {
  /** The origin of presigned addresses; `undefined` for the portal's own origin. */
  origin: string | undefined
  presignPut(name: ObjectName, terms: PutTerms): Promise<PresignedPut>
  /** Returns an address that serves the file for `seconds`. */
  presignGet(name: ObjectName, terms: GetTerms, seconds: number): Promise<string>
  /** Returns the file's first `maxBytes` bytes; `undefined` when it does not exist. */
  read(name: ObjectName, maxBytes: number): Promise<Uint8Array | undefined>
  write(name: ObjectName, bytes: Uint8Array, contentType: string): Promise<void>
  /** Removes the file, if it exists. */
  remove(name: ObjectName): Promise<void>
}

/** How long the address for a PUT is valid. */
export const PUT_SECONDS = 5 * 60

/** Reports that a service that the request depends on is away or slow, or refuses the call. The request may be tried again. */
export class Unavailable extends Error {
  override name = 'Unavailable' as const
  readonly code: 'STORE_UNAVAILABLE' | 'CAPTCHA_UNAVAILABLE'

  constructor(code: Unavailable['code'], cause: unknown) {
    super(reasonOf(cause), { cause })
    this.code = code
  }
}

/** Finds the reason behind the "fetch failed" of `fetch`. If several addresses failed, the reason has a code but no message. */
function reasonOf(cause: unknown): string {
  const reason: unknown = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return reason instanceof Error ? reason.message || String((reason as NodeJS.ErrnoException).code) : String(reason)
}
