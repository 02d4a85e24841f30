import { ConfigError } from '../config.ts'
import { DataDirLocked } from '../db/dataDirLock.ts'
import { DeskError } from './Desk.ts'

/** Ends a command that failed. What the person can put right is one line; anything else is a defect and keeps its stack. */
export function explain(error: unknown): void {
  process.stderr.write(`${wordsOf(error)}\n`)
  process.exitCode = 1
}

function wordsOf(error: unknown): string {
  if (error instanceof DeskError) return error.message
  if (error instanceof ConfigError) return `Configuration: ${error.message}`
  if (error instanceof DataDirLocked) {
    return `${error.message} The embedded database takes one process at a time; with DATABASE_URL the desk works beside the portal.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
