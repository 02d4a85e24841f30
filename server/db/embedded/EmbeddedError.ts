/** Why the embedded PostgreSQL cannot run: something that whoever starts the server can put right. `message` says how. */
export type EmbeddedErrorCode =
  /** Another server, or a command of the provider's desk, works with this folder. */
  | 'IN_USE'
  /** npm installed no PostgreSQL for this machine, or its programs do not run here. */
  | 'NO_BINARIES'
  /** The folder belongs to another user than this process. */
  | 'OTHER_USER'
  /** PostgreSQL refuses to be root, and no other user can read the folder. */
  | 'ROOT_REFUSED'
  /** The data was made by another major version. It is left as it is. */
  | 'OTHER_VERSION'
  /** PostgreSQL ended while it started; the message has its own last words. */
  | 'DID_NOT_START'

export class EmbeddedError extends Error {
  override name = 'EmbeddedError' as const
  readonly code: EmbeddedErrorCode
  constructor(code: EmbeddedErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
