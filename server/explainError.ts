import { ConfigError } from './config.ts'
import { EmbeddedError } from './db/embedded/programs.ts'
import { databaseCode, isUnavailable, rootCause, UnusableDatabase } from './db/engine/databaseError.ts'
import { POOLER_ADVICE } from './db/engine/refusePooler.ts'
import { DeskError } from './desk/Desk.ts'

/** Returns one line for a problem that the user can fix. Any other error is a defect and keeps its stack. */
export function explainError(error: unknown): string {
  if (error instanceof ConfigError) return `Configuration: ${error.message}`
  if (error instanceof EmbeddedError) return error.message
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return 'The port is in use: set another PORT.'
  if (error instanceof UnusableDatabase) return `${error.message}.`
  if (isUnavailable(error) || LOGIN_REFUSED.test(databaseCode(error) ?? ''))
    return `The database cannot be reached or used: ${databaseWords(error)}.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The codes for a wrong login, and for a database that does not exist. */
const LOGIN_REFUSED = /^(28|3D)...$/

/** Returns the code and the words of PostgreSQL, a pooler or the system: pg wraps them once more when a connection fails. */
function databaseWords(error: unknown): string {
  const causes: Error[] = []
  for (let cause = rootCause(error); cause instanceof Error; cause = rootCause(cause.cause)) causes.push(cause)
  const told = causes.find((cause) => databaseCode(cause) !== undefined) ?? causes.at(-1)
  const code = databaseCode(told) ?? ''
  const words = (told?.message ?? '').replaceAll(LOGIN_OF_URL, '//').replace(/\.$/, '')
  const said = words.includes(code) ? words : [code, words].filter(Boolean).join(': ')
  return /startup parameter/.test(words) ? `${said}. ${POOLER_ADVICE}` : said || 'the connection broke'
}

const LOGIN_OF_URL = /\/\/[^\s/]*@/g

/** Ends a failed command with its message and exit code 1. */
export function endCommand(error: unknown): void {
  process.stderr.write(`${error instanceof DeskError ? error.message : explainError(error)}\n`)
  process.exitCode = 1
}
