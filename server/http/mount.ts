import type { Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import * as v from 'valibot'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { HOLD_BEARER } from '../../src/contract/redemptions/hold.ts'
import { may } from '../../src/domain/accounts/permissions.ts'
import { isGated } from '../../src/domain/gate.ts'
import type { Deps } from '../Deps.ts'
import type { AccessTokens, Claims } from '../services/accounts/sessions/accessTokens.ts'
import type { Actor, Caller } from '../services/accounts/sessions/Actor.ts'
import { authenticate, readToken } from '../services/accounts/sessions/authenticate.ts'
import { Refusal } from '../services/Refusal.ts'
import { laneOf, type Admission } from './Admission.ts'
import { bodySizeOf } from './bodySize.ts'
import { bearerToken, callerOf } from './callerOf.ts'
import { bindingCookieName } from './cookies.ts'
import type { FailoverWait } from './FailoverWait.ts'
import { fileResponse } from './fileResponse.ts'
import { parseInput, requiredHeaders } from './parseInput.ts'
import type { PortalEnv } from './PortalEnv.ts'
import { readJsonBody } from './readJsonBody.ts'
import type { Call, Credentials, DataAnswer, FileAnswer, Route } from './Route.ts'

const BASE = { api: '/api', reporting: '/reporting' } as const

export const pathOf = ({ base, path }: Endpoint): string => BASE[base] + path

/**
 * Makes an endpoint's route. In this order: who asks, may they, is the request whole and well-formed; then the handler; then the
 * envelope. What is refused is thrown as a Refusal, and `app.onError` answers it. `routeFor` gives the route with the database of
 * one organisation, or with that of the portal.
 */
export function mount(
  app: Hono<PortalEnv>,
  { deps, tokens, admission, failover }: MountParts,
  endpoint: Endpoint,
  routeFor: (organisationId?: string) => AnyRoute,
): void {
  const route = routeFor()
  const lane = laneOf(endpoint)
  app.on(endpoint.method, pathOf(endpoint), async (c) => {
    c.set('route', endpoint.path)
    c.set('lane', lane)
    admission.refuseWhenBusy(endpoint, lane)
    const credentials = credentialsOf(c, deps)
    const caller = callerOf(c, deps)
    const carryOut = async () => {
      // The body may name a challenge, which then stands for the caller: so it is read before anybody is identified.
      const early = endpoint.access === 'challenge' ? await readCall(c, endpoint) : undefined
      const identity =
        early && namesChallenge(early.body)
          ? {}
          : await identify(deps, tokens, endpoint, route, { ...credentials, caller })
      if (identity.userId) c.set('userId', identity.userId)
      const call = { ...(early ?? (await readCall(c, endpoint))), ...identity, credentials, caller }
      // Where one statement judges session or hold by itself there is no actor, and so no organisation to wall in (decision 0040).
      const { handle } = routeFor(identity.actor?.organisation.id)
      return admission.carryOut(lane, () => handle(call as never), caller.isGone)
    }
    const answer = isReading(endpoint) ? await failover.read(carryOut, caller.isGone) : await carryOut()
    for (const [name, value] of Object.entries(answer.headers ?? {})) {
      for (const one of [value].flat()) c.header(name, one, { append: name === 'set-cookie' })
    }
    if ('pieces' in answer) return fileResponse(c, answer, deps.log)
    return c.json({ data: answer.data })
  })
}

export interface MountParts {
  deps: Deps
  tokens: AccessTokens
  admission: Admission
  failover: FailoverWait
}

/** The probes say how it is now, and a file may have begun. */
const isReading = (endpoint: Endpoint) =>
  endpoint.method === 'GET' && endpoint.answer !== 'file' && laneOf(endpoint) !== 'signs of life'

/** A route of any endpoint. `Routes` has checked that endpoint and handler fit. */
export interface AnyRoute {
  identify: Route<Endpoint>['identify'] | 'token or hold' | 'actor or hold'
  handle: (call: never) => Answered | Promise<Answered>
}

type Answered = DataAnswer<unknown> | FileAnswer

function credentialsOf(c: Context<PortalEnv>, { settings }: Deps): Credentials {
  const idle = v.safeParse(IdleSeconds, c.req.header('idle-seconds'))
  return {
    bearer: bearerToken(c.req.header('authorization')),
    binding: getCookie(c, bindingCookieName(settings)),
    idleSeconds: idle.success ? idle.output : undefined,
  }
}

const namesChallenge = (body: unknown) =>
  typeof body === 'object' && body !== null && ('session' in body || 'setup' in body)

/** What is no number is taken as not sent. */
const IdleSeconds = v.pipe(v.string(), v.regex(/^\d{1,7}$/), v.transform(Number))

interface Identity {
  /** For the log. */
  userId?: string
  claims?: Claims
  actor?: Actor
  /** Instead of claims and actor: the secret of a hold. */
  holdSecret?: string
}

async function identify(
  deps: Deps,
  tokens: AccessTokens,
  endpoint: Endpoint,
  route: AnyRoute,
  { bearer, idleSeconds, caller }: Credentials & { caller: Caller },
): Promise<Identity> {
  if (route.identify === 'nobody') return {}
  if (endpoint.alsoBy === 'hold' && bearer?.startsWith(HOLD_BEARER)) {
    return { holdSecret: bearer.slice(HOLD_BEARER.length) }
  }
  const claims = await readToken(tokens, bearer)
  if (route.identify === 'token' || route.identify === 'token or hold') return { userId: claims.sub, claims }
  const actor = await authenticate(deps, claims, idleSeconds, caller)
  refuseUnlessAllowed(endpoint, actor)
  return { userId: actor.userId, actor }
}

function refuseUnlessAllowed({ access }: Endpoint, actor: Actor): void {
  if (typeof access === 'string') return
  if (isGated(actor)) throw new Refusal('ACCOUNT_GATED')
  if (!may(actor, access)) throw new Refusal('FORBIDDEN')
}

async function readCall(
  c: Context<PortalEnv>,
  endpoint: Endpoint,
): Promise<Omit<Call<Endpoint>, 'credentials' | 'caller'>> {
  const { params, query, body } = endpoint
  const headers = requiredHeaders(endpoint, (name) => c.req.header(name))
  return {
    headers,
    params: params && parseInput(params, c.req.param()),
    query: parseInput(query ?? NO_QUERY, singleValues(c.req.queries())),
    body: body && parseInput(body, await readJsonBody(c.req.raw, bodySizeOf(endpoint))),
  }
}

/** A parameter that an endpoint does not know is refused like an unknown field of a body. */
const NO_QUERY = v.pipe(
  v.strictObject({}),
  v.transform(() => undefined),
)

/** A parameter given twice stays a list, which no schema takes (ACL-12). */
const singleValues = (queries: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(queries).map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
