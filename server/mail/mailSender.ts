import type { Clock } from '../Clock.ts'
import type { Database } from '../db/engine/Database.ts'
import { databaseCode } from '../db/engine/databaseError.ts'
import {
  claimMail,
  giveUpMail,
  markMailFailed,
  markMailRefused,
  markMailSent,
  type WaitingMail,
} from '../db/mailOutbox.ts'
import type { Log } from '../log.ts'
import { enhancedCode, MailUndeliverable, type MailTransport, type SmtpError } from './MailTransport.ts'

const FIRST_WAIT_MS = 5_000

const LONGEST_WAIT_MS = 15 * 60_000

interface MailDeps {
  database: Database
  clock: Clock
  log: Log
}

/**
 * Sends every due mail, one after the other. Each mail is claimed first, so several servers can send at the same time. A mail is sent twice only if a
 * process dies after handing it over and before recording that.
 */
export async function sendDueMail(deps: MailDeps, transport: MailTransport, isStopping = () => false): Promise<void> {
  const { db } = deps.database
  const givenUp = await giveUpMail(db, deps.clock.now())
  if (givenUp > 0) deps.log.warn('mail_given_up', { mails: givenUp })
  while (!isStopping()) {
    const mail = await claimMail(db, deps.clock.now())
    if (!mail) return
    await sendOne(deps, transport, mail)
  }
}

async function sendOne({ database, clock, log }: MailDeps, transport: MailTransport, mail: WaitingMail): Promise<void> {
  try {
    await transport.send(mail)
  } catch (error) {
    return noteFailure({ database, clock, log }, mail, error)
  }
  return markMailSent(database.db, mail.id, clock.now())
}

async function noteFailure({ database, clock, log }: MailDeps, mail: WaitingMail, error: unknown): Promise<void> {
  const isFinal = error instanceof MailUndeliverable
  const code = codeOf(isFinal ? error.cause : error)
  const facts = { mail: mail.id, kind: mail.kind, attempts: mail.attempts, code, message: connectionTrouble(error) }
  log.warn(isFinal ? 'mail_refused' : 'mail_failed', facts)
  if (isFinal) return markMailRefused(database.db, mail.id, code, clock.now())
  return markMailFailed(database.db, mail.id, code, new Date(clock.now().getTime() + waitAfter(mail.attempts)))
}

/**
 * Returns the milliseconds before the next attempt, which double every time. The jitter keeps a restarted mail server from getting all mails at the
 * same moment.
 */
function waitAfter(attempts: number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS)
  return wait * (0.75 + Math.random() / 2)
}

/** Returns the codes and the command of an error, which contain no personal data. */
function codeOf(error: unknown): string {
  const failure = (error ?? {}) as SmtpError
  return (
    [failure.code, failure.command, failure.responseCode, enhancedCode(failure)].filter(Boolean).join(' ') || 'unknown'
  )
}

/**
 * Returns the reason why the mail server could not be reached, such as an unknown certificate. The server's own words are left out: they may name the
 * recipient.
 */
const connectionTrouble = (error: unknown): string | undefined =>
  error instanceof Error && error.cause === undefined && !('responseCode' in error) ? error.message : undefined

/** How often to look for mails of other servers and for due retries. */
const POLL_MS = 5_000

export interface MailSender {
  /** Tells the sender that a mail was just put in the outbox. */
  wake(): void
  /** Begins no more mails, and resolves when those under way are done. */
  stop(): Promise<void>
}

/** A mail server may take a minute for one mail, so others are sent beside it. */
const MAX_ROUNDS = 3

/** Starts to send mail until it is stopped. Failures do not end it. */
export function startMailSender(deps: MailDeps, transport: MailTransport, pollMs = POLL_MS): MailSender {
  let isStopping = false
  let isAwake = false
  let wakeUp = () => undefined as void
  /** The rounds under way. Each sends one mail after the other until none is due. */
  const rounds = new Set<Promise<void>>()

  const waitForMail = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  function beginRound(): void {
    const round: Promise<void> = sendDueMail(deps, transport, () => isStopping)
      .catch((error: unknown) => deps.log.warn('mail_round_failed', { code: databaseCode(error) }))
      .finally(() => rounds.delete(round))
    rounds.add(round)
  }

  async function loop(): Promise<void> {
    while (!isStopping) {
      isAwake = false
      beginRound()
      if (rounds.size === MAX_ROUNDS) await Promise.race(rounds)
      // A mail that was added meanwhile must not wait for the next poll.
      if (!isAwake && !isStopping) await waitForMail()
    }
    await Promise.all(rounds)
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
