import type { Settings } from '../Deps.ts'
import { isSecure } from './cookies.ts'

type DeviceCookieSite = Pick<Settings, 'publicUrl'>

/** The longest that browsers keep a cookie. */
const DEVICE_COOKIE_DAYS = 400

export const deviceCookieName = (site: DeviceCookieSite): string => (isSecure(site) ? '__Host-device' : 'device')

/** `Set-Cookie` of what a browser is known by that has signed in before. It opens nothing, and outlives every session. */
export const deviceCookie = (site: DeviceCookieSite, token: string): string =>
  `${deviceCookieName(site)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${DEVICE_COOKIE_DAYS * 86_400}${isSecure(site) ? '; Secure' : ''}`
