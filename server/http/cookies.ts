import type { LoginStep } from '../../src/contract/accounts/auth.ts'
import type { Till } from '../../src/contract/redemptions/counter.ts'
import type { Deps, Settings } from '../Deps.ts'
import type { LoginOutcome } from '../services/accounts/login/nextLoginStep.ts'
import type { Caller } from '../services/accounts/sessions/Actor.ts'
import type { LoggedIn } from '../services/accounts/sessions/sessions.ts'
import type { NamedTill } from '../services/redemptions/tills.ts'
import type { DataAnswer } from './Route.ts'

/** Answers a login that is complete or needs another step. Only a complete one sets cookies. */
export function stepAnswer(deps: Deps, step: LoginOutcome, caller: TillCaller): DataAnswer<LoginStep> {
  if ('accessToken' in step) return completeAnswer(deps, step, caller)
  return { data: { ...step, public_key: deps.secrets.passwordKey.publicPem } }
}

export const completeAnswer = (
  { secrets, settings }: Deps,
  { accessToken, binding, deviceToken }: LoggedIn,
  { tillToken }: TillCaller,
): DataAnswer<{ access_token: string; public_key: string }> => ({
  data: { access_token: accessToken, public_key: secrets.passwordKey.publicPem },
  headers: {
    'set-cookie': [
      bindingCookie(settings, binding),
      deviceCookie(settings, deviceToken),
      // Renews the till cookie's lifetime, so that a till in use does not lose it.
      ...(tillToken === undefined ? [] : [tillCookie(settings, tillToken)]),
    ],
  },
})

type TillCaller = Pick<Caller, 'tillToken'>

type Site = Pick<Settings, 'publicUrl'>

const isSecure = ({ publicUrl }: Site) => publicUrl.startsWith('https:')

/** A browser refuses the `__Host-` prefix, and Secure, on a plain-http origin. */
export const bindingCookieName = (site: Site): string => (isSecure(site) ? '__Host-binding' : 'binding')

/** `Set-Cookie` with the secret that the refresh is bound to: scripts cannot read it, other sites cannot send it. */
const bindingCookie = (site: Site, value: string): string =>
  `${bindingCookieName(site)}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure(site) ? '; Secure' : ''}`

export const clearedBindingCookie = (site: Site): string => `${bindingCookie(site, '')}; Max-Age=0`

/** The longest time that browsers keep a cookie. */
const DEVICE_COOKIE_DAYS = 400

export const deviceCookieName = (site: Site): string => (isSecure(site) ? '__Host-device' : 'device')

/** `Set-Cookie` that identifies a browser that has logged in before. It gives no access, and outlives every session. */
const deviceCookie = (site: Site, token: string): string =>
  `${deviceCookieName(site)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${DEVICE_COOKIE_DAYS * 86_400}${isSecure(site) ? '; Secure' : ''}`

/** Answers with the till, and with its cookie if it gets a new one. */
export const tillAnswer = <T extends Till>({ settings }: Deps, { till, token }: NamedTill<T>): DataAnswer<T> => ({
  data: till,
  ...(token === undefined ? {} : { headers: { 'set-cookie': [tillCookie(settings, token)] } }),
})

/** Not `__Host-`, which needs the path `/`: pages and files never need this cookie. */
export const tillCookieName = (site: Site): string => (isSecure(site) ? '__Secure-till' : 'till')

/** `Set-Cookie` that identifies a device as a till: scripts cannot read it, other sites cannot send it. */
const tillCookie = (site: Site, token: string): string =>
  `${tillCookieName(site)}=${token}; Path=/api; HttpOnly; SameSite=Strict; Max-Age=${DEVICE_COOKIE_DAYS * 86_400}${isSecure(site) ? '; Secure' : ''}`
