import { databaseCode } from '../db/engine/databaseError.ts'
import type { MailTransport } from './MailTransport.ts'
import { type MailDeps, sendDueMail } from './mailSender.ts'

/** Mails of other servers and those that wait for another try are found by looking. */
const POLL_MS = 5_000

export interface MailSender {
  /** A mail was put out just now. */
  wake(): void
  /** When the mail under way is done; no other is begun. */
  stop(): Promise<void>
}

/** Sends mail until it is stopped, whatever fails meanwhile. */
export function startMailSender(deps: MailDeps, transport: MailTransport, pollMs = POLL_MS): MailSender {
  let isStopping = false
  let isAwake = false
  let wakeUp = () => undefined as void

  const nap = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function loop(): Promise<void> {
    while (!isStopping) {
      isAwake = false
      try {
        await sendDueMail(deps, transport, () => isStopping)
      } catch (error) {
        deps.log.warn('mail_round_failed', { code: databaseCode(error) })
      }
      // A mail put out while the last one was being sent must not wait for the next look.
      if (!isAwake && !isStopping) await nap()
    }
    transport.close()
  }

  const running = loop()
  const wake = () => {
    isAwake = true
    wakeUp()
  }
  return {
    wake,
    stop() {
      isStopping = true
      wake()
      return running
    },
  }
}
