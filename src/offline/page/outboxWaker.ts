import { type Send, type Sender, startSender } from './outboxSender.ts'

let sender: Sender | undefined

/** The queue of whoever is signed in; called again it changes hands, and with no owner it rests. */
export function serveOutbox(owner: string | undefined, send: Send, onReady: (filename: string) => void): void {
  sender?.stop()
  sender = owner === undefined ? undefined : startSender(owner, send, onReady)
  wakeOutbox()
}

/** Sends what is due: at the start, when the line returns, when the tab is seen again, on "Try now". */
export const wakeOutbox = (): void => sender?.wake()
