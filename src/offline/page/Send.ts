import type { ReportIntent } from '../../contract/reports/report.ts'

/** What became of one attempt, told by the wiring in words the queue understands. */
export type SendOutcome =
  | { kind: 'done'; bytes: ArrayBuffer; filename: string; type: string }
  /**
   * It could not be done now: at the fault of the line, or of the server; `retryAfterMs` when that named a time.
   */
  | { kind: 'later'; lineFault?: boolean; retryAfterMs?: number; trouble: string }
  /** The server will not do it, ever: shown with its words. */
  | { kind: 'refused'; trouble: string }
  /** The session is over: everything waits for its owner. */
  | { kind: 'stop' }

export type DownloadedFile = Extract<SendOutcome, { kind: 'done' }>

/** One request. `signal` ends one that nobody wants any more; what it then comes back with does not matter. */
export type Send = (
  intent: ReportIntent,
  id: string,
  progress: (received: number, total?: number) => void,
  signal: AbortSignal,
) => Promise<SendOutcome>
