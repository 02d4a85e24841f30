import * as v from 'valibot'
import { OutboxIntent } from '../../contract/reports/report.ts'

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
  intent: OutboxIntent,
  /** What the person sees: `Transaction Report, 1–21 Nov 2026.csv`. */
  title: v.string(),
  state: v.picklist(OUTBOX_STATES),
  createdAt: v.number(),
  attempts: v.number(),
  nextAt: v.number(),
  /** Until then another tab must believe the sender lives; only read where Web Locks are missing. */
  leaseUntil: v.number(),
  received: v.number(),
  total: v.optional(v.number()),
  /** Of a download in parts: how many lie on the device already. */
  partsKept: v.optional(v.number()),
  /** The last attempt failed at the line: the next one need not wait once the line is back. */
  lineFault: v.optional(v.boolean()),
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
