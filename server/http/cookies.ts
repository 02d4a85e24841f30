import type { Settings } from '../Deps.ts'

type Site = Pick<Settings, 'publicUrl'>

export const isSecure = ({ publicUrl }: Site) => publicUrl.startsWith('https:')

/** A browser refuses the `__Host-` prefix, and Secure, on a plain-http origin. */
export const bindingCookieName = (site: Site): string => (isSecure(site) ? '__Host-binding' : 'binding')

/** `Set-Cookie` of the secret that the refresh is bound to: scripts cannot read it, other sites cannot send it. */
export const bindingCookie = (site: Site, value: string): string =>
  `${bindingCookieName(site)}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure(site) ? '; Secure' : ''}`

export const clearedBindingCookie = (site: Site): string => `${bindingCookie(site, '')}; Max-Age=0`
