import * as v from 'valibot'
import { ReportRequest } from '../../contract/reports/report.ts'
import { REST } from './rest.ts'

/** Waiting for connection → Preparing → Ready → Saved, or Failed with the server's words. */
const OUTBOX_STATES = ['waiting', 'sending', 'ready', 'saved', 'failed'] as const

/**
 * One queued download. Times are milliseconds of this device's clock. It names what is wanted, never a request or a token:
 * those are made when it is sent.
 */
export const OutboxRow = v.object({
  /** Also the idempotency key of every attempt. */
  id: v.string(),
  owner: v.string(),
  intent: ReportRequest,
  /** What the person sees: `Transaction Report, 2026-11-01 to 2026-11-21.csv`. */
  title: v.string(),
  state: v.picklist(OUTBOX_STATES),
  createdAt: v.number(),
  ...REST,
  /** Until then another tab must believe the sender lives; only read where this tab may not be alone at the queue. */
  leaseUntil: v.number(),
  received: v.number(),
  total: v.optional(v.number()),
  /** Why the last attempt failed, in words for the person. */
  trouble: v.optional(v.string()),
  filename: v.optional(v.string()),
  size: v.optional(v.number()),
  settledAt: v.optional(v.number()),
  /** Failed because its file had to go, unsaved: too old, or in the way of newer ones. */
  gone: v.optional(v.picklist(['age', 'room'])),
})

export type OutboxRow = v.InferOutput<typeof OutboxRow>

/** ArrayBuffer, not Blob: WebKit has lost stored Blobs time and again (dexie#1227, #1919). */
export interface StoredFile {
  id: string
  bytes: ArrayBuffer
  type: string
}

/** A form somebody has not finished. Never a password. */
export interface DraftRow {
  /** Which form, and of which record: `onboarding`, `branch:<guid>`. */
  key: string
  /** As typed, not as parsed: what is wrong with it is kept as well. */
  values: unknown
  /** Milliseconds of this device's clock. */
  savedAt: number
}
