import type { Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '../src/domain/within.ts'
import { createApp } from './app.ts'
import { background, type Background } from './background/background.ts'
import {
  startAccountOpener,
  startHoldEnder,
  startLedgerSealer,
  startMonthlySummaries,
  startStaleRowSweeper,
  startUploadSweeper,
} from './background/scheduledJobs.ts'
import type { Clock } from './Clock.ts'
import { ConfigError, readConfig, repliesAreUnread, type Config } from './config.ts'
import type { Database } from './db/engine/Database.ts'
import { openDatabase } from './db/engine/openDatabase.ts'
import { startDatabaseClock } from './db/engine/startDatabaseClock.ts'
import { DEMO_LOGINS, prepareDemo } from './demo/prepareDemo.ts'
import type { Deps } from './Deps.ts'
import { explainError } from './explainError.ts'
import { drainable, listen } from './http/listen.ts'
import { bufferedLines } from './log.ts'
import { startMailSender, type MailSender } from './mail/mailSender.ts'
import { openMailTransport } from './mail/MailTransport.ts'
import { metrics } from './metrics.ts'
import { serverOutput, type Started } from './output.ts'
import { loadSecrets } from './secrets/loadSecrets.ts'
import { derivedKey, type Secrets } from './secrets/secrets.ts'
import { openQueues } from './services/queues.ts'
import { openBatches } from './services/redemptions/batches.ts'
import { embeddedStore } from './store/embeddedStore.ts'
import { s3Store } from './store/s3Store.ts'

const machineClock = { now: () => new Date() }
const lines = bufferedLines((text) => process.stdout.write(text))
const output = serverOutput(process.stdout.isTTY, lines.write, machineClock)
const { log } = output
process.on('exit', lines.flush)
const DIST = join(import.meta.dirname, '..', 'dist')

/** The time for the last requests, including the drain. Docker and systemd send SIGKILL after ten seconds. */
const LAST_REQUESTS_MS = 7_000
const LAST_MAIL_MS = 1_000
/**
 * How long a stopping server still answers behind a proxy. nginx skips a server for less (deploy/nginx.conf), so in a rolling restart the previous
 * server is back by then.
 */
const PROXY_DRAIN_MS = 4_000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const database = await openDatabase(config, log)
  refuseUnsafe(config, database)
  await refuseUnusable(database)
  const clock = await startDatabaseClock(database, log)
  const secrets = loadSecrets(config, clock.now())
  const demo = await prepareDemo(database, config.demo, clock.now())
  const work = background(log)
  if (repliesAreUnread(config)) log.warn('mail_from_unread')
  const mail = startMailSender({ database, clock, log }, openMailTransport(config, output.mailWritten))
  const store = fileStore(config, secrets, clock)
  const stopping = new AbortController()
  const queues = openQueues()
  const deps: Deps = {
    database,
    batches: openBatches({ database, clock }),
    queues,
    metrics: metrics({ database, clock: machineClock, queues }, { ofProcess: config.metricsToken !== undefined }),
    clock,
    secrets,
    settings: { ...config, mfa: config.mfa ?? (demo ? 'optional' : 'required'), demoLogins: demo && DEMO_LOGINS },
    assets: { directory: () => DIST },
    log,
    store,
    background: work,
    isStopping: () => stopping.signal.aborted,
    wakeMailSender: () => mail.wake(),
  }
  const stops = [
    startAccountOpener(deps),
    startMonthlySummaries(deps),
    startLedgerSealer(deps),
    startStaleRowSweeper(deps),
    startHoldEnder(deps),
    startUploadSweeper(deps),
    clock.stop,
  ]
  const { answer, endListening } = drainable(createApp(deps).fetch)
  const listening = await listen(answer, config)
  output.started(factsOf(config, database), demo)
  const drainMs = config.trustProxy ? PROXY_DRAIN_MS : 0
  const running = { listening, stopping, drainMs, endListening, work, mail, stops, database }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(running))
}

/**
 * Refuses a database that could lose acknowledged redemptions in a power loss, unless the operator allows it (rule 17.5,
 * decision 0039).
 */
function refuseUnsafe({ durability: wanted }: Config, { durability: { off } }: Database): void {
  if (off.length === 0) return
  const names = off.join(', ')
  if (wanted === 'required') {
    throw new ConfigError(
      `PostgreSQL has ${names} off, and a loss of power would lose redemptions. Switch it on, or set DURABILITY=optional`,
    )
  }
  log.warn('database_not_durable', { off: names })
}

/** Refuses a database whose connections lack something, before anything is read through them. */
async function refuseUnusable(database: Database): Promise<void> {
  const [first] = await database.unusablePools()
  if (first === undefined) return
  throw new ConfigError(
    `connections to PostgreSQL lack their ${first.lacks}. Look for a pooler that drops start-up options, an ALTER ROLE or ALTER DATABASE`,
  )
}

function fileStore({ s3, dataDir, publicUrl }: Config, secrets: Secrets, clock: Clock) {
  if (s3) return s3Store(s3, clock)
  const secret = derivedKey(secrets, 'embedded file store')
  return embeddedStore({ directory: join(dataDir, 'files'), publicUrl, secret, clock })
}

const factsOf = (config: Config, { engine }: Database): Started => ({
  url: config.publicUrl,
  database: engine === 'embedded' ? `its own PostgreSQL in ${join(config.dataDir, 'postgres')}` : 'DATABASE_URL',
  mail: config.smtpUrl
    ? `sent by ${new URL(config.smtpUrl).host}`
    : `written to ${join(config.dataDir, 'outbox')}, not sent`,
  files: config.s3
    ? `in bucket ${config.s3.bucket} of ${new URL(config.s3.endpoint).host}`
    : `in ${join(config.dataDir, 'files')}`,
})

interface Running {
  listening: Server
  stopping: AbortController
  drainMs: number
  endListening(listening: Server, longestMs: number): Promise<void>
  work: Background
  mail: MailSender
  /** Functions that stop the repeated jobs. */
  stops: (() => void)[]
  database: Database
}

/**
 * Stops the server. For `drainMs` it still answers, but reports that it is not ready, so that the load balancer uses other
 * servers. Then it takes no new connection, finishes the last requests and emails, and closes the database.
 */
async function stop({ listening, stopping, drainMs, endListening, work, mail, ...rest }: Running): Promise<void> {
  const { stops, database } = rest
  log.info('stopping')
  stopping.abort()
  for (const end of stops) end()
  const mailStopped = mail.stop()
  await sleep(drainMs)
  await endListening(listening, LAST_REQUESTS_MS - drainMs)
  // A mail server may take longer than LAST_MAIL_MS: the next portal server then sends the mail again.
  await within(LAST_MAIL_MS, Promise.all([work.settled(), mailStopped]))
  await database.close()
  process.exit(0)
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainError(error)}\n`)
  process.exit(1)
})
