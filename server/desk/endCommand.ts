import { explainError } from '../explainError.ts'
import { DeskError } from './Desk.ts'

/** Ends a command that failed, with its words and exit code 1. */
export function endCommand(error: unknown): void {
  process.stderr.write(`${error instanceof DeskError ? error.message : explainError(error)}\n`)
  process.exitCode = 1
}
