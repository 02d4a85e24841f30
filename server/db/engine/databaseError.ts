import { DrizzleQueryError } from 'drizzle-orm'

/** No connection, or one that broke: the work may or may not have happened, and may be tried again later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable' as const
}

/** It is there, and every connection to it is in use. */
export class DatabaseBusy extends DatabaseUnavailable {}

export const UNIQUE_VIOLATION = '23505'
export const FOREIGN_KEY_VIOLATION = '23503'

/** Whatever kept us from the database, as the error that callers know. */
export const unavailable = (doing: string, cause: unknown): DatabaseUnavailable =>
  cause instanceof DatabaseUnavailable ? cause : new DatabaseUnavailable(doing, { cause })

/** The SQLSTATE of a failed query (`23505`), or the system's word for a broken line (`ECONNRESET`). */
export function databaseCode(error: unknown): string | undefined {
  const { code } = (rootCause(error) ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** What PostgreSQL has given a code stays as it is. */
export const unavailableUnlessCoded = (doing: string, cause: unknown): unknown =>
  databaseCode(cause) === undefined ? unavailable(doing, cause) : cause

/** The unique index that a failed query would have broken. */
export function violatedUnique(error: unknown): string | undefined {
  const { constraint } = (rootCause(error) ?? {}) as { constraint?: unknown }
  return databaseCode(error) === UNIQUE_VIOLATION && typeof constraint === 'string' ? constraint : undefined
}

/**
 * Connection (08), resources (53: disk full), operator (57: shutdown, statement timeout), its system (58), a server that is no primary
 * any more (25006), a transaction to be tried again (40), or a broken connection.
 */
const UNAVAILABLE = /^((08|40|53|57|58)...|25006)$|^E[A-Z]+$/

/** Whether the database could not be asked, as opposed to having said no. */
export const isUnavailable = (error: unknown): boolean => isOf(error, UNAVAILABLE)

/** Of these, a connection that broke or was not to be had (08, 57P), also to a server that is no primary any more. */
const CUT_OFF = /^(08...|57P..|25006)$|^E[A-Z]+$/

/**
 * Whether another connection may do better, at once or when a failover is over. There is none to a busy database, and a statement that
 * took too long would only take it again.
 */
export const wasCutOff = (error: unknown): boolean =>
  isOf(error, CUT_OFF) && !(rootCause(error) instanceof DatabaseBusy)

function isOf(error: unknown, codes: RegExp): boolean {
  const root = rootCause(error)
  if (root instanceof DatabaseUnavailable) return true
  const code = databaseCode(error)
  if (code !== undefined) return codes.test(code)
  // node-postgres gives a lost connection no code at all; a mistake of ours is a TypeError or RangeError.
  return error instanceof DrizzleQueryError && root instanceof Error && root.constructor === Error
}

/** On a server that is no primary any more PostgreSQL calls it an internal error to be asked for a commit. */
const INTERNAL_ERROR = 'XX000'

/** Of a commit that is there for its wait alone: what it failed with, or that the database could not be asked. */
export function failedWait(error: unknown): unknown {
  const isAway = isUnavailable(error) || databaseCode(error) === INTERNAL_ERROR
  return isAway ? new DatabaseUnavailable('standby', { cause: error }) : error
}

/** Drizzle's own message holds the parameters, so only the cause may be looked at, or logged. */
export const rootCause = (error: unknown): unknown => (error instanceof DrizzleQueryError ? error.cause : error)
