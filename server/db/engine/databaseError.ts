import { DrizzleQueryError } from 'drizzle-orm'

/** No connection, or one that broke. The work may or may not have happened, and may be tried again later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable' as const
}

/** The database is there, but every connection to it is in use. */
export class DatabaseBusy extends DatabaseUnavailable {}

/** A database that answers, but not as the portal needs it. The message is a sentence for the operator, without a full stop. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase' as const
}

export const UNIQUE_VIOLATION = '23505'
export const FOREIGN_KEY_VIOLATION = '23503'

/** Turns the cause of a failed connection into the error that callers know. */
export const toUnavailable = (doing: string, cause: unknown): DatabaseUnavailable =>
  cause instanceof DatabaseUnavailable ? cause : new DatabaseUnavailable(doing, { cause })

/** Returns the SQLSTATE of a failed query (`23505`), or the system's code for a broken connection (`ECONNRESET`). */
export function databaseCode(error: unknown): string | undefined {
  const { code } = (rootCause(error) ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** Keeps an error that has a code, PostgreSQL's or the system's; wraps any other. */
export const toUnavailableUnlessCoded = (doing: string, cause: unknown): unknown =>
  databaseCode(cause) === undefined ? toUnavailable(doing, cause) : cause

/** Returns the name of the unique index that a failed query violated. */
export function violatedUnique(error: unknown): string | undefined {
  const { constraint } = (rootCause(error) ?? {}) as { constraint?: unknown }
  return databaseCode(error) === UNIQUE_VIOLATION && typeof constraint === 'string' ? constraint : undefined
}

/**
 * The codes of an unavailable database: no connection (08), a transaction to retry (40), no resources such as disk (53), a shutdown or a statement
 * timeout (57), an error of its operating system (58), a server that is no longer the primary (25006), or a broken connection (E…).
 */
const UNAVAILABLE = /^((08|40|53|57|58)...|25006)$|^E[A-Z]+$/

/** True if the database could not do the work. False if it refused the work. */
export const isUnavailable = (error: unknown): boolean => hasCode(error, UNAVAILABLE)

/** The codes among those that mean a broken or refused connection (08, 57P), or a server that is no longer the primary. */
const CUT_OFF = /^(08...|57P..|25006)$|^E[A-Z]+$/

/**
 * True if another connection may succeed, at once or after a failover. False for a busy database, and for a statement that took too long, because
 * it would take as long again.
 */
export const wasCutOff = (error: unknown): boolean =>
  hasCode(error, CUT_OFF) && !(rootCause(error) instanceof DatabaseBusy)

function hasCode(error: unknown, codes: RegExp): boolean {
  const root = rootCause(error)
  if (root instanceof DatabaseUnavailable) return true
  const code = databaseCode(error)
  if (code !== undefined) return codes.test(code)
  // node-postgres gives a lost connection no code at all; a bug in our code is a TypeError or RangeError.
  return error instanceof DrizzleQueryError && root instanceof Error && root.constructor === Error
}

/** PostgreSQL's code when a commit is asked of a server that is no longer the primary: an "internal error". */
const INTERNAL_ERROR = 'XX000'

/** Returns the error for a failed `waitForStandby`: DatabaseUnavailable when the database could not be asked, otherwise `error` itself. */
export function toWaitError(error: unknown): unknown {
  const isAway = isUnavailable(error) || databaseCode(error) === INTERNAL_ERROR
  return isAway ? new DatabaseUnavailable('standby', { cause: error }) : error
}

/** Drizzle's own message contains the parameters, so only its cause may be read or logged. */
export const rootCause = (error: unknown): unknown => (error instanceof DrizzleQueryError ? error.cause : error)
