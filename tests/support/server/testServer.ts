import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../../server/app.ts'
import { background } from '../../../server/background/background.ts'
import type { Deps, Settings } from '../../../server/Deps.ts'
import { metrics } from '../../../server/metrics.ts'
import type { Secrets } from '../../../server/secrets/secrets.ts'
import { BoundedQueue } from '../../../server/services/BoundedQueue.ts'
import { openQueues } from '../../../server/services/queues.ts'
import { openBatches } from '../../../server/services/redemptions/batches.ts'
import { embeddedStore } from '../../../server/store/embeddedStore.ts'
import type { Ask } from '../api/portalClient.ts'
import { testDatabase } from '../database/testDatabase.ts'
import { fakeClock } from './fakeClock.ts'
import { recordedLog } from './silentLog.ts'
import { testSecrets } from './testSecrets.ts'

export type TestServer = Awaited<ReturnType<typeof testServer>>

interface Options {
  /** True as in production. Otherwise calls wait, because a slow test machine would decide which of fifty calls at once are answered. */
  refusesWhenBusy?: boolean
}

/** Makes the real app on an empty database, with a clock that stands still and without a socket. */
export async function testServer(overrides: Partial<Deps> = {}, { refusesWhenBusy = false }: Options = {}) {
  const database = await testDatabase()
  const clock = fakeClock()
  const log = recordedLog()
  const files = join(tmpdir(), `portal-files-${randomUUID()}`)
  const given = testDeps({ database, clock, log, files })
  const queues = refusesWhenBusy
    ? given.queues
    : { ...given.queues, counter: patient(), others: patient(), uploads: patient() }
  const deps = { ...given, queues, ...overrides }
  const app = createApp(deps)
  const ask: Ask = (path, init) => app.request(path, init)
  return {
    app,
    ask,
    deps,
    database,
    clock,
    log,
    /** The folder of the embedded file store. */
    files,
    async close() {
      await deps.background.settled()
      await database.close()
      await rm(files, { recursive: true, force: true })
    },
  }
}

const patient = () => new BoundedQueue({ waiting: Infinity })

interface Given extends Pick<Deps, 'database' | 'clock' | 'log'> {
  secrets?: Secrets
  settings?: Partial<Settings>
  /** The folder of the embedded file store. */
  files: string
}

/** Returns the parts of a test server. Mails stay in the outbox, where tests read them. */
export function testDeps({ database, clock, log, secrets = testSecrets(), settings: given, files }: Given): Deps {
  const settings: Settings = {
    publicUrl: 'http://127.0.0.1:8080',
    sessionIdleMinutes: 15,
    posIdleMinutes: 240,
    providerEmail: 'provider@test.example',
    support: { email: 'support@test.example', phone: '+65 6123 4567' },
    mfa: 'optional',
    ...given,
  }
  const queues = openQueues()
  return {
    database,
    batches: openBatches({ database, clock }),
    queues,
    clock,
    secrets,
    settings,
    assets: { directory: () => '/nowhere' },
    log,
    metrics: metrics({ database, clock, queues }),
    store: embeddedStore({ directory: files, publicUrl: settings.publicUrl, secret: 'files', clock }),
    background: background(log),
    isStopping: () => false,
    wakeMailSender: () => undefined,
  }
}
