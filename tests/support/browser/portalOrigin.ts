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
  /** One of `apiOrigins`, for a server that a portal is told to use. Otherwise any free port. */
  port?: number
  /** Origins whose portal may call this server. */
  portalOrigins?: string[]
  /** Used in place of the proof of work. */
  recaptcha?: RecaptchaSettings
}

/** Starts the real server with a database of its own, behind a connection that tests can break. */
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
    /** The parts of the server, for services that have no screen yet. */
    deps,
    /** Settings for the commands beside the server: the provider's desk. */
    env: { DATABASE_URL: database.url, JWT_SECRET, PASSWORD_KEY: freshPem(), DATA_DIR: files, DURABILITY: 'optional' },
    clock,
    /** The server's errors since the last `reset`. A test that does not provoke one expects none. */
    serverErrors,
    /** From now on a login without an authenticator app is asked to set one up. */
    requireMfa() {
      deps.settings.mfa = 'required'
    },
    /** Serves this release from now on, with the faults given for its paths. Files of other releases are gone. */
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

/** The real clock with an offset, for browser tests. A fixed clock would drift away from the browser's own, which runs. */
function runningClock() {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    /** Moves the clock forward; it keeps running. */
    advance(milliseconds: number) {
      offset += milliseconds
    },
    /** Sets the clock back to the real time. */
    reset() {
      offset = 0
    },
  }
}

/** A fault in the answer for one file of a release, as a broken folder or a proxy causes it. */
export type FileFault =
  | { kind: 'missing' }
  /** A page in place of the file, with status 200 and the page's own type. */
  | { kind: 'page' }
  /** The same page with the type of a script, to be cached for a year. */
  | { kind: 'page as script' }
  /** The first half of the file, complete as far as HTTP can tell. */
  | { kind: 'half' }
  | { kind: 'failure' }
  | { kind: 'text'; text: string }

const PAGE = '<!doctype html><title>Free Wi-Fi</title><h1>Accept the terms to continue</h1>'

const FOR_A_YEAR = { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=31536000, immutable' }

/** Returns the answer for a spoilt file of the release in `directory`. */
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
