import { DataDirLocked } from '../db/dataDirLock.ts'
import { explain } from '../explain.ts'
import { DeskError } from './Desk.ts'

/** Ends a command that failed, with its words and exit code 1. */
export function endCommand(error: unknown): void {
  process.stderr.write(`${wordsOf(error)}\n`)
  process.exitCode = 1
}

function wordsOf(error: unknown): string {
  if (error instanceof DeskError) return error.message
  if (error instanceof DataDirLocked) {
    return `${error.message} The embedded database takes one process at a time; with DATABASE_URL the desk works beside the portal.`
  }
  return explain(error)
}
