import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../../server/app.ts'
import { background } from '../../../server/background/background.ts'
import type { Database } from '../../../server/db/engine/Database.ts'
import type { Deps, RecaptchaSettings, Settings } from '../../../server/Deps.ts'
import { metrics } from '../../../server/metrics.ts'
import type { Log } from '../../../server/log.ts'
import { apiOrigins } from '../apiOrigins.ts'
import { embeddedStore } from '../../../server/store/embeddedStore.ts'
import { buildDirectory, type ReleaseId } from './builds.ts'
import { type AppFetch, type Origin, startOrigin } from './origin.ts'
import { type RunningClock, runningClock } from '../runningClock.ts'
import { type FileFault, faultyFile } from '../spoil.ts'
import { testDatabase } from '../database/testDatabase.ts'
import { testSecrets } from '../server/testSecrets.ts'

/** The real server with a database of its own, behind a line that tests can spoil. */
export interface PortalOrigin extends Origin {
  database: Database
  /** What the server was made of, for services that have no screen yet. */
  deps: Deps
  clock: RunningClock
  /** From now on an account without an authenticator app is asked to set one up when it logs in. */
  requireMfa(): void
  /** Serves this release from now on, with these files spoilt, by path. The files of other releases are gone. */
  deploy(id: ReleaseId, faults?: Record<string, FileFault>): void
  /** Errors the server logged since the last `reset`: none are expected in a test that does not provoke them. */
  serverErrors: readonly string[]
}

interface PortalOriginOptions {
  /** One of `apiOrigins`, for a server that a portal's base is pointed at; else any free port. */
  port?: number
  /** Origins whose portal may call this server. */
  portalOrigins?: string[]
  /** Instead of the proof of work. */
  recaptcha?: RecaptchaSettings
}

export async function startPortalOrigin(options: PortalOriginOptions = {}): Promise<PortalOrigin> {
  const { port, portalOrigins = [], recaptcha } = options
  const serverErrors: string[] = []
  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    error: (event, facts) => void serverErrors.push(`${event} ${JSON.stringify(facts)}`),
  }
  const database = await testDatabase(log)
  const clock = runningClock()
  const work = background(log)
  const files = join(tmpdir(), `portal-files-${randomUUID()}`)
  let release: ReleaseId = '1'
  let spoilt: Record<string, FileFault> = {}
  let app: { fetch: AppFetch } = { fetch: () => new Response('not started', { status: 503 }) }
  const origin = await startOrigin(
    (request, env) => {
      const path = new URL(request.url).pathname
      const fault = spoilt[path]
      return fault ? faultyFile(fault, buildDirectory(release), path) : app.fetch(request, env)
    },
    () => clock.now(),
    port,
  )
  const settings: Settings = {
    publicUrl: origin.url,
    sessionIdleMinutes: 15,
    posIdleMinutes: 240,
    providerEmail: 'provider@test.example',
    mfa: 'optional',
    apiOrigins: apiOrigins(),
    portalOrigins,
    ...(recaptcha ? { recaptcha } : {}),
  }
  const deps: Deps = {
    database,
    clock,
    secrets: testSecrets(),
    settings,
    assets: { directory: () => buildDirectory(release) },
    log,
    metrics: metrics({ database, clock }),
    store: embeddedStore({ directory: files, publicUrl: origin.url, secret: 'files', clock }),
    background: work,
    isStopping: () => false,
    // Mail stays in the outbox, where tests read it.
    mailWaiting: () => undefined,
  }
  app = createApp(deps)
  // Not spread: `requests` is a getter.
  return Object.assign(Object.create(origin) as Origin, {
    database,
    deps,
    clock,
    serverErrors,
    requireMfa() {
      settings.mfa = 'required'
    },
    deploy(id: ReleaseId, faults: Record<string, FileFault> = {}) {
      release = id
      spoilt = faults
    },
    async reset() {
      release = '1'
      spoilt = {}
      settings.mfa = 'optional'
      clock.reset()
      serverErrors.length = 0
      await origin.reset()
    },
    async close() {
      await origin.close()
      await work.settled()
      await database.close()
      await rm(files, { recursive: true, force: true })
    },
  })
}
