import type { MiddlewareHandler } from 'hono'
import type { Settings } from '../Deps.ts'
import type { PortalEnv } from './PortalEnv.ts'

/** Other origins that the portal has business with, each only where it is configured. */
export interface OtherOrigins {
  /** Portal API, from the build's allow-list. */
  api: readonly string[]
  /** The file store. */
  store: readonly string[]
  /** Scripts and frames of reCAPTCHA. */
  captcha: readonly string[]
}

const contentSecurityPolicy = ({ api, store, captcha }: OtherOrigins) =>
  [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...captcha].join(' '),
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...store].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", ...api, ...store, ...captcha].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    `frame-src ${captcha.length === 0 ? "'none'" : captcha.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The script of reCAPTCHA knows nothing of policies: what it does goes through the page's default one.
    `trusted-types service-worker barcode-decoder${captcha.length === 0 ? '' : ' default'}`,
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

/**
 * On every answer, errors included; a policy that an answer brought along is stricter and stays. Which other origins may read
 * one is decided in `crossOrigin`.
 */
export function securityHeaders(
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  origins: OtherOrigins,
): MiddlewareHandler<PortalEnv> {
  const headers = Object.entries({
    ...HEADERS,
    'content-security-policy': contentSecurityPolicy(origins),
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  })
  return async (c, next) => {
    await next()
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  }
}
