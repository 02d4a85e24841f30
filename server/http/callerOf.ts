import { isIP, isIPv6 } from 'node:net'
import Bowser from 'bowser'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { OPAQUE_TOKEN } from '../../src/contract/wireFields.ts'
import { onFirstUse } from '../../src/domain/onFirstUse.ts'
import { findTillByToken } from '../db/redemptions/tills.ts'
import type { Deps } from '../Deps.ts'
import { warnOnce } from '../log.ts'
import { HIDDEN_ADDRESS, NO_ADDRESS, type Caller } from '../services/accounts/sessions/Actor.ts'
import { hashToken } from '../services/opaqueToken.ts'
import { deviceCookieName, tillCookieName } from './cookies.ts'
import type { PortalEnv } from './PortalEnv.ts'

/** Describes the origin of this request: address, device and till. */
export function callerOf(c: Context<PortalEnv>, deps: Pick<Deps, 'settings' | 'database' | 'log'>): Caller {
  const { settings, database } = deps
  // Read now: once the caller hangs up, the address is gone, and the limits on the caller need it.
  const socket = socketAddress(c)
  const tillToken = ourToken(getCookie(c, tillCookieName(settings)))
  const tillTokenHash = tillToken === undefined ? undefined : hashToken(tillToken)
  return {
    // Computed only when it is read, because it may warn: the health checks of a load balancer have no X-Forwarded-For.
    get ipAddress() {
      return addressOf(c, socket, deps)
    },
    // Parsed only when it is read, by logins and log entries: it costs more than the rest of the way to a handler.
    get device() {
      return deviceName(c.req.header('user-agent') ?? '')
    },
    deviceToken: ourToken(getCookie(c, deviceCookieName(settings))),
    tillToken,
    tillTokenHash,
    // Row security does not apply: the cookie says which organisation the till belongs to, and there may be no session.
    till: onFirstUse(async () =>
      tillTokenHash === undefined ? undefined : findTillByToken(database.forAllTenants().db, tillTokenHash),
    ),
    isGone: () => hasHungUp(c),
  }
}

/** Ignores a cookie that does not look like a token of this server. */
const ourToken = (cookie: string | undefined) =>
  cookie !== undefined && OPAQUE_TOKEN.test(cookie) ? cookie : undefined

/**
 * Returns the caller's address, or HIDDEN_ADDRESS if a proxy does not pass it on: all callers would share the proxy's address. The server speaks
 * plain http, so if its public address is https, every connection comes from a proxy.
 */
function addressOf(c: Context<PortalEnv>, socket: string, { settings, log }: Pick<Deps, 'settings' | 'log'>): string {
  const forwarded = c.req.header('x-forwarded-for')
  const isBehindProxy = settings.trustProxy === true || settings.publicUrl.startsWith('https:')
  const address = settings.trustProxy ? lastHop(forwarded) : undefined
  if (address === undefined && (isBehindProxy || forwarded !== undefined)) {
    const reason = settings.trustProxy
      ? `the proxy sends ${forwarded === undefined ? 'no' : 'an unreadable'} X-Forwarded-For`
      : 'there is a proxy, and TRUST_PROXY is off'
    warnOnce(log, 'callers_hidden', { reason, sends_forwarded: c.req.header('forwarded') !== undefined })
  }
  return address ?? (isBehindProxy ? HIDDEN_ADDRESS : socket)
}

/** Only the last hop was written by our own proxy; a client can send the ones before. */
const lastHop = (hops = ''): string | undefined => readAddress(hops.split(',').at(-1)!.trim())

/** Reads an address, also with the port and brackets that gateways add: `203.0.113.7:51234`, `::ffff:203.0.113.7:51234`, `[2001:db8::1]:443`. */
export function readAddress(hop: string): string | undefined {
  const [, bracketed, beforePort] = /^\[([^\]]+)\](?::\d+)?$|^([^[\]]*\.\d+):\d+$/.exec(hop) ?? []
  const address = bracketed ?? beforePort ?? hop
  return isIP(address) ? unmapped(address) : undefined
}

/** Returns `1.2.3.4` for `::ffff:1.2.3.4`, which a socket for both IPv6 and IPv4 shows: all of IPv4 would look like one network. */
function unmapped(address: string): string {
  if (!isIPv6(address) || address.includes('%')) return address
  // A URL writes an IPv6 address in one way only.
  const [, ...halves] = /^\[::ffff:(\w+):(\w+)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? []
  const bytes = halves.map((half) => Number.parseInt(half, 16)).flatMap((half) => [half >> 8, half & 255])
  return bytes.length > 0 ? bytes.join('.') : address
}

/** True if the socket is closed, or its other end has ended the connection. */
export function hasHungUp(c: Context<PortalEnv>): boolean {
  const socket = (c.env as PortalEnv['Bindings'] | undefined)?.incoming?.socket
  return socket !== undefined && (socket.destroyed || socket.readableEnded)
}

function socketAddress(c: Context<PortalEnv>): string {
  const address = (c.env as PortalEnv['Bindings'] | undefined)?.incoming?.socket.remoteAddress
  return address === undefined ? NO_ADDRESS : unmapped(address)
}

/** Longer than the User-Agent of any browser. */
const LONGEST_USER_AGENT = 512

/** Describes a User-Agent in words: "Chrome on Windows". */
export function deviceName(userAgent: string): string {
  if (userAgent === '' || userAgent.length > LONGEST_USER_AGENT) return UNKNOWN
  const parsed = Bowser.getParser(userAgent)
  const [browser, system] = [parsed.getBrowserName(), parsed.getOSName()]
  if (!KNOWN_BROWSERS.has(browser)) return UNKNOWN
  return KNOWN_SYSTEMS.has(system) ? `${browser} on ${system}` : browser
}

// Only known names: a stranger's text must not get into an owner's list or mail.
const KNOWN_BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP))

const KNOWN_SYSTEMS = new Set(Object.values(Bowser.OS_MAP))

const UNKNOWN = 'Unknown device'

/** The token of an Authorization header; undefined for any other scheme. */
export const bearerToken = (header: string | undefined): string | undefined => /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
