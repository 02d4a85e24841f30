import * as v from 'valibot'
import { ReportRequest } from '../../contract/reports/report.ts'
import { RETRY_STATE } from './retryState.ts'

const OUTBOX_STATES = ['waiting', 'sending', 'ready', 'saved', 'failed'] as const

/**
 * One queued download. It stores what the user wants, but no HTTP request and no token: these are made when it is sent. Times are
 * milliseconds of this device's clock.
 */
export const OutboxRow = v.object({
  /** Also the idempotency key of every attempt. */
  id: v.string(),
  owner: v.string(),
  intent: ReportRequest,
  /** The title that the user sees: `Transaction Report, 2026-11-01 to 2026-11-21.csv`. */
  title: v.string(),
  state: v.picklist(OUTBOX_STATES),
  createdAt: v.number(),
  ...RETRY_STATE,
  /** Until this time other tabs assume that the sending tab still runs. Only a tab without the queue's lock reads it. */
  leaseUntil: v.number(),
  /** The bytes received so far, out of `total`. */
  received: v.number(),
  total: v.optional(v.number()),
  /** The reason why the last attempt failed, in words for the user. */
  trouble: v.optional(v.string()),
  filename: v.optional(v.string()),
  size: v.optional(v.number()),
  settledAt: v.optional(v.number()),
  /** Why an unsaved file was deleted: it was too old, or newer files needed the room. Only on a failed row. */
  gone: v.optional(v.picklist(['age', 'room'])),
})

export type OutboxRow = v.InferOutput<typeof OutboxRow>

/** The file of a download. ArrayBuffer, not Blob, because WebKit has lost stored Blobs (dexie#1227, #1919). */
export interface StoredFile {
  id: string
  bytes: ArrayBuffer
  type: string
}

/** A form that the user has not finished. Passwords are never stored. */
export interface DraftRow {
  /** The form and its record: `onboarding`, `branch/<guid>`. */
  key: string
  /** The values as typed, so that invalid ones are stored, too. */
  values: unknown
  /** Milliseconds of this device's clock. */
  savedAt: number
  /** For a draft that the account keeps, too: the account's revision that it continues, and whether the account has these values. */
  link?: { revision: number | null; isSent: boolean } | undefined
}
