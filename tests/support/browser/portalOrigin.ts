import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../../server/app.ts'
import type { Deps, RecaptchaSettings } from '../../../server/Deps.ts'
import type { Log } from '../../../server/log.ts'
import { testDatabase } from '../database/testDatabase.ts'
import { freshPem, JWT_SECRET } from '../server/testSecrets.ts'
import { testDeps } from '../server/testServer.ts'
import { apiOrigins, buildDirectory, type ReleaseId } from './builds.ts'
import { Origin, type AppFetch } from './origin.ts'

export type PortalOrigin = Awaited<ReturnType<typeof startPortalOrigin>>

interface PortalOriginOptions {
  /** One of `apiOrigins`, for a server that a portal's base is pointed at; else any free port. */
  port?: number
  /** Origins whose portal may call this server. */
  portalOrigins?: string[]
  /** Instead of the proof of work. */
  recaptcha?: RecaptchaSettings
}

/** The real server with a database of its own, behind a connection that tests can spoil. */
export async function startPortalOrigin({ port, portalOrigins = [], recaptcha }: PortalOriginOptions = {}) {
  const serverErrors: string[] = []
  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    error: (event, facts) => void serverErrors.push(`${event} ${JSON.stringify(facts)}`),
  }
  const database = await testDatabase(log)
  const clock = runningClock()
  const files = join(tmpdir(), `portal-files-${randomUUID()}`)
  let release: ReleaseId = '1'
  let spoilt: Record<string, FileFault> = {}
  let app: { fetch: AppFetch } = { fetch: () => new Response('not started', { status: 503 }) }
  const origin = await Origin.start(
    (request, env) => {
      const path = new URL(request.url).pathname
      const fault = spoilt[path]
      return fault ? faultyFile(fault, buildDirectory(release), path) : app.fetch(request, env)
    },
    () => clock.now(),
    port,
  )
  const given = { publicUrl: origin.url, apiOrigins: apiOrigins(), portalOrigins, ...(recaptcha ? { recaptcha } : {}) }
  const deps: Deps = {
    ...testDeps({ database, clock, log, files, settings: given }),
    assets: { directory: () => buildDirectory(release) },
  }
  app = createApp(deps)
  return Object.assign(origin, {
    database,
    /** What the server was made of, for services that have no screen yet. */
    deps,
    /** For the programs beside the server: the provider's desk. */
    env: { DATABASE_URL: database.url, JWT_SECRET, PASSWORD_KEY: freshPem(), DATA_DIR: files, DURABILITY: 'optional' },
    clock,
    /** What the server logged since the last `reset`: nothing is expected in a test that does not provoke it. */
    serverErrors,
    /** From now on an account without an authenticator app is asked to set one up when it logs in. */
    requireMfa() {
      deps.settings.mfa = 'required'
    },
    /** Serves this release from now on, with these files spoilt, by path. The files of other releases are gone. */
    deploy(id: ReleaseId, faults: Record<string, FileFault> = {}) {
      release = id
      spoilt = faults
    },
    async reset() {
      release = '1'
      spoilt = {}
      deps.settings.mfa = 'optional'
      clock.reset()
      serverErrors.length = 0
      await Origin.prototype.reset.call(origin)
    },
    async close() {
      await Origin.prototype.close.call(origin)
      await deps.background.settled()
      await database.close()
      await rm(files, { recursive: true, force: true })
    },
  })
}

/** The wall clock with an offset, for browser tests: the browser's own clock runs too, so a fixed one would drift away from it. */
function runningClock() {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    /** Moves the clock on; it keeps running. */
    advance(milliseconds: number) {
      offset += milliseconds
    },
    /** Back to the time of the wall. */
    reset() {
      offset = 0
    },
  }
}

/** What a release's folder, or what stands before it, makes of one of its files. */
export type FileFault =
  | { kind: 'missing' }
  /** A page in its place, with status 200 and its own type. */
  | { kind: 'page' }
  /** The same, said to be a script and to be kept for a year. */
  | { kind: 'page as script' }
  /** The first half of the file, complete as far as HTTP can tell. */
  | { kind: 'half' }
  | { kind: 'failure' }
  | { kind: 'text'; text: string }

const PAGE = '<!doctype html><title>Free Wi-Fi</title><h1>Accept the terms to continue</h1>'

const FOR_A_YEAR = { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=31536000, immutable' }

/** The answer for a spoilt file of the release in `directory`. */
function faultyFile(fault: FileFault, directory: string, path: string): Response {
  switch (fault.kind) {
    case 'missing':
      return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } })
    case 'page':
      return new Response(PAGE, { headers: { 'content-type': 'text/html' } })
    case 'page as script':
      return new Response(PAGE, { headers: FOR_A_YEAR })
    case 'half': {
      const whole = readFileSync(join(directory, path))
      return new Response(new Uint8Array(whole.subarray(0, whole.length / 2)), { headers: FOR_A_YEAR })
    }
    case 'failure':
      return new Response(PAGE, { status: 500, headers: { 'content-type': 'text/html' } })
    case 'text':
      return new Response(fault.text, { headers: { ...FOR_A_YEAR, 'cache-control': 'no-cache' } })
  }
}
