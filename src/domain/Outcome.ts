/** The result of a request that can be sent again. The queues use it to decide what happens to their entry. */
export type Outcome<T> =
  | { kind: 'done'; answer: T }
  /** The server refuses it for good: its code, message and data. */
  | { kind: 'refused'; refused: { code: string; message: string; data: Record<string, unknown> } }
  /**
   * It cannot be done now. `connectionFailed`: our server did not answer, and the next request would fail as well. `isBusy`: our server is overloaded
   * or cannot work, and asks callers to wait. This does not depend on the request, so all other requests wait as well.
   */
  | { kind: 'later'; connectionFailed: boolean; isBusy?: true; message: string; retryAfterMs?: number }
  /** The session is refused. This concerns the caller, not the request. */
  | { kind: 'logIn'; message: string }
