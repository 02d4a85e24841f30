import { type Sender, startSender } from '../outbox/outboxSender.ts'
import type { Send } from './Send.ts'

let sender: Sender | undefined

/** The queue of whoever is signed in; called again it changes hands, and with no owner it rests. */
export function serveOutbox(owner: string | undefined, send: Send, onReady: (filename: string) => void): void {
  sender?.stop()
  sender = owner === undefined ? undefined : startSender(owner, send, onReady)
  wakeOutbox()
}

/** Sends what is due: at the start, on "Try now". */
export const wakeOutbox = (): void => sender?.wake()

/** The line returned, or the tab is seen again: what failed at the line does not wait for its time (cases 76). */
export const wakeOutboxOnReconnect = (): void => sender?.wakeForLine()
