import { isIP } from 'node:net'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Deps } from '../Deps.ts'
import type { Caller } from '../services/Caller.ts'
import { deviceCookieName } from './deviceCookie.ts'
import { deviceName } from './deviceName.ts'
import type { PortalEnv } from './PortalEnv.ts'

/** Where this request came from. */
export const callerOf = (c: Context<PortalEnv>, { settings }: Pick<Deps, 'settings'>): Caller => ({
  ipAddress: (settings.trustProxy ? proxiedAddress(c) : undefined) ?? socketAddress(c),
  // Read by sign-ins and by acts that are written down: reading it for every request would cost more than the rest of the way to a handler.
  get device() {
    return deviceName(c.req.header('user-agent') ?? '')
  },
  deviceToken: getCookie(c, deviceCookieName(settings)),
})

/** Only the last hop was written by the proxy in front of us; anybody can send the ones before. */
function proxiedAddress(c: Context<PortalEnv>): string | undefined {
  const last = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? ''
  return isIP(last) ? last : undefined
}

/** A socket that takes both kinds of address tells the older kind inside the newer. */
function socketAddress(c: Context<PortalEnv>): string {
  const address = (c.env as PortalEnv['Bindings'] | undefined)?.incoming?.socket.remoteAddress
  return address?.replace(/^::ffff:(?=\d)/, '') ?? 'unknown'
}
