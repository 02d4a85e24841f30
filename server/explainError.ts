import { ConfigError } from './config.ts'
import { EmbeddedError } from './db/embedded/programs.ts'
import { databaseCode, isUnavailable } from './db/engine/databaseError.ts'
import { DeskError } from './desk/Desk.ts'

/** Returns one line for a problem that the user can fix. Any other error is a defect and keeps its stack. */
export function explainError(error: unknown): string {
  if (error instanceof ConfigError) return `Configuration: ${error.message}`
  if (error instanceof EmbeddedError) return error.message
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return 'The port is in use: set another PORT.'
  if (isUnavailable(error))
    return `The database cannot be reached or used: ${databaseCode(error) ?? 'the connection broke'}.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Ends a failed command with its message and exit code 1. */
export function endCommand(error: unknown): void {
  process.stderr.write(`${error instanceof DeskError ? error.message : explainError(error)}\n`)
  process.exitCode = 1
}
