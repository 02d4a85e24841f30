import type { MiddlewareHandler } from 'hono'
import type { Settings } from '../Deps.ts'
import type { PortalEnv } from './PortalEnv.ts'

const contentSecurityPolicy = (apiOrigins: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...apiOrigins].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types service-worker',
  ].join('; ')

/** The counter scans with the camera; nothing else of the device is needed. */
const PERMISSIONS_POLICY = [
  'camera=(self)',
  'accelerometer=()',
  'autoplay=()',
  'display-capture=()',
  'fullscreen=()',
  'geolocation=()',
  'gyroscope=()',
  'magnetometer=()',
  'microphone=()',
  'midi=()',
  'payment=()',
  'publickey-credentials-get=()',
  'usb=()',
].join(', ')

const HEADERS = {
  'permissions-policy': PERMISSIONS_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** On every answer, errors included. Which other origins may read one is decided in `crossOrigin`. */
export function securityHeaders({ publicUrl, apiOrigins = [] }: Settings): MiddlewareHandler<PortalEnv> {
  const headers = Object.entries({
    ...HEADERS,
    'content-security-policy': contentSecurityPolicy(apiOrigins),
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  })
  return async (c, next) => {
    await next()
    for (const [name, value] of headers) c.res.headers.set(name, value)
  }
}
