/** What came of a request that can be sent again: the queues decide by it what happens to their entry. */
export type Outcome<T> =
  | { kind: 'done'; answer: T }
  /** The server will not do it, however often it is asked: its code, its words, its facts. */
  | { kind: 'refused'; refused: { code: string; message: string; data: Record<string, unknown> } }
  /**
   * Not now. `connectionFailed`: nobody of ours answered, and the next request would fail as well. `isBusy`: our server has too much
   * to do, or cannot work, and asks for time; it is nothing about this request, and nothing else is sent before that either.
   */
  | { kind: 'later'; connectionFailed: boolean; isBusy?: true; message: string; retryAfterMs?: number }
  /** Not for this session. It says who asks, not whether the request is good. */
  | { kind: 'logIn'; message: string }
