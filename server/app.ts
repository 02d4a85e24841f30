import { hash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointName } from '../src/contract/endpoints.ts'
import { SOURCE_PARAMETER } from '../src/domain/gate.ts'
import { onFirstUse } from '../src/domain/onFirstUse.ts'
import type { Deps } from './Deps.ts'
import { answerFailure, refuseMethod } from './http/answerFailure.ts'
import { bearerToken } from './http/callerOf.ts'
import { compressed } from './http/compressed.ts'
import { closeWhenStopping, crossOrigin, hearReports, requestLog } from './http/middleware.ts'
import { mount, pathOf, type MountParts } from './http/mount.ts'
import { mountFiles } from './http/mountFiles.ts'
import { openapi } from './http/openapi.ts'
import type { PortalEnv } from './http/PortalEnv.ts'
import type { Routes } from './http/Route.ts'
import { securityHeaders, type OtherOrigins } from './http/securityHeaders.ts'
import { staticFiles } from './http/staticFiles.ts'
import type { Metrics } from './metrics.ts'
import { accountRoutes } from './routes/accounts.ts'
import { activityRoutes } from './routes/activity.ts'
import { allowanceRoutes } from './routes/allowance.ts'
import { branchRoutes } from './routes/branches.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { deviceRoutes } from './routes/devices.ts'
import { importRoutes } from './routes/imports.ts'
import { loginRoutes } from './routes/logIn.ts'
import { masterRoutes } from './routes/masters.ts'
import { merchantRoutes } from './routes/merchants.ts'
import { paymentRoutes } from './routes/payments.ts'
import { posUserRoutes } from './routes/posUsers.ts'
import { profileRoutes } from './routes/profile.ts'
import { redemptionRoutes } from './routes/redemptions.ts'
import { reportRoutes } from './routes/reports.ts'
import { resourceFileRoutes } from './routes/resources.ts'
import { systemRoutes } from './routes/system.ts'
import { tableRoutes } from './routes/tables.ts'
import { uploadRoutes } from './routes/uploads.ts'
import { voucherRoutes } from './routes/vouchers.ts'
import { recaptchaOrigins } from './services/accounts/captcha/recaptcha.ts'
import { accessTokens, type AccessTokens } from './services/accounts/sessions/accessTokens.ts'
import { Refusal } from './services/Refusal.ts'

const BASES = ['api', 'reporting'] as const

/** Creates the app: both API bases and the built portal on one origin. It does not listen on a port; everything from outside comes in `deps`. */
export function createApp(deps: Deps): Hono<PortalEnv> {
  const app = new Hono<PortalEnv>()
  const tokens = accessTokens(deps)
  app.onError((error, c) => answerFailure(c, error, deps))
  app.use(requestLog(deps))
  app.use(closeWhenStopping(deps))
  app.use(securityHeaders(deps.settings, otherOrigins(deps)))
  for (const base of BASES) app.use(`/${base}/*`, neverStored, crossOrigin(deps.settings))
  app.use('/api/*', hearReports(deps))
  mountRoutes(app, { deps, tokens })
  for (const base of BASES) {
    // Made once: making it takes longer than most calls, and anybody may ask for it.
    const document = onFirstUse(() => openapi(base, deps.settings))
    app.get(`/${base}/openapi.json`, compressed, (c) => c.json(document()))
  }
  if (deps.settings.metricsToken !== undefined) mountMetrics(app, deps.metrics, deps.settings.metricsToken)
  refuseTheRest(app)
  app.get('/.well-known/change-password', (c) => c.redirect(CHANGE_PASSWORD))
  if ('readGrant' in deps.store) mountFiles(app, deps.store, deps.queues.files)
  app.get('*', staticFiles(deps.assets))
  app.all(
    '*',
    refuseMethod(() => ['GET']),
  )
  return app
}

/** A password manager opens this page to change a password. The page asks for a login, and shows My day to a POS user instead. */
const CHANGE_PASSWORD = `/profile?${SOURCE_PARAMETER}=password-manager#security`

const otherOrigins = ({ settings, store }: Deps): OtherOrigins => ({
  api: settings.apiOrigins ?? [],
  store: store.origin === undefined ? [] : [store.origin],
  captcha: settings.recaptcha ? recaptchaOrigins(settings.recaptcha) : [],
})

function mountRoutes(app: Hono<PortalEnv>, parts: MountParts): void {
  const { deps, tokens } = parts
  const depsOf = tenantDeps(deps)
  const makers = new Map(ROUTES.flatMap((make) => Object.keys(make(deps, tokens)).map((name) => [name, make])))
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const make = makers.get(name)
    if (!make) throw new Error(`nothing answers ${name}`)
    // The routes are made again for each call: a busy server has too many merchants to keep routes for all, and making a few functions costs almost
    // nothing.
    mount(app, parts, ENDPOINTS[name], (organisationId) => make(depsOf(organisationId), tokens)[name]!)
  }
}

/**
 * The most organisations whose `Deps` are kept. When there would be more, all are dropped; the next call of an organisation makes its `Deps` again.
 */
const TENANTS_KEPT = 1_000

/**
 * Returns a function that gives `deps` with a database that shows only the rows of one organisation, or with the portal's own database. The database
 * itself is restricted, so a handler stays restricted while it reads a file after the answer, and no call pays for it.
 */
export function tenantDeps(deps: Deps): (organisationId?: string) => Deps {
  if (!deps.database.hasRowSecurity) return () => deps
  const byTenant = new Map<string, Deps>()
  return (organisationId) => {
    if (organisationId === undefined) return deps
    const known = byTenant.get(organisationId)
    if (known) return known
    if (byTenant.size >= TENANTS_KEPT) byTenant.clear()
    const made = { ...deps, database: deps.database.forTenant(organisationId) }
    byTenant.set(organisationId, made)
    return made
  }
}

type MakeRoutes = (deps: Deps, tokens: AccessTokens) => Partial<Routes>

const ROUTES: readonly MakeRoutes[] = [
  systemRoutes,
  loginRoutes,
  accountRoutes,
  merchantRoutes,
  uploadRoutes,
  voucherRoutes,
  redemptionRoutes,
  allowanceRoutes,
  dashboardRoutes,
  deviceRoutes,
  tableRoutes,
  reportRoutes,
  paymentRoutes,
  masterRoutes,
  branchRoutes,
  posUserRoutes,
  importRoutes,
  profileRoutes,
  resourceFileRoutes,
  activityRoutes,
]

/** Handles the other paths below the bases: a known path with another method gets 405, an unknown path 404, both in the envelope. */
function refuseTheRest(app: Hono<PortalEnv>): void {
  const endpoints = Object.values<Endpoint>(ENDPOINTS)
  for (const path of new Set(endpoints.map(pathOf))) {
    // `/voucher/list` also matches `/voucher/:id`: every endpoint that would answer this path counts.
    const methodsOf = (asked: string) => endpoints.filter((one) => isPathOf(one, asked)).map(({ method }) => method)
    app.all(path, refuseMethod(methodsOf))
  }
  for (const base of BASES) {
    app.all(`/${base}`, () => Promise.reject(new Refusal('NOT_FOUND')))
    app.all(`/${base}/*`, () => Promise.reject(new Refusal('NOT_FOUND')))
  }
}

const isPathOf = (endpoint: Endpoint, path: string) =>
  new RegExp(`^${pathOf(endpoint).replaceAll(/:\w+/g, '[^/]+')}$`).test(path)

/** Sets the header before the answer is made. To add a header later, Hono copies the whole body, which takes a fifth of the time of an answer. */
const neverStored = (c: { header(name: string, value: string): void }, next: () => Promise<void>) => {
  c.header('cache-control', 'no-store')
  return next()
}

/**
 * Serves this process's metrics for an operator's Prometheus. The path has a token of its own, because nobody logs in here and no merchant may see
 * how much the whole programme redeems. Without a token the path does not exist.
 */
function mountMetrics(app: Hono<PortalEnv>, metrics: Metrics, token: string): void {
  app.get('/api/metrics', async (c) => {
    const given = bearerToken(c.req.header('authorization'))
    if (given === undefined) throw new Refusal('TOKEN_MISSING')
    if (!isSame(given, token)) throw new Refusal('TOKEN_INVALID')
    return c.body(await metrics.text(), 200, { 'content-type': metrics.contentType })
  })
}

/** Compares in constant time, so that the time does not show how much of the token is right. Digests always have the same length. */
const isSame = (given: string, token: string) => timingSafeEqual(digest(given), digest(token))

const digest = (text: string) => hash('sha256', text, 'buffer')
