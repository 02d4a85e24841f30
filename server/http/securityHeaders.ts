import type { MiddlewareHandler } from 'hono'
import type { Settings } from '../Deps.ts'
import type { InlineSources, PortalEnv } from './PortalEnv.ts'

/** Other origins that the portal talks to, each only if it is configured. */
export interface OtherOrigins {
  /** Portal API, from the build's allow-list. */
  api: readonly string[]
  /** The file store. */
  store: readonly string[]
  /** Scripts and frames of reCAPTCHA. */
  captcha: readonly string[]
}

const NOTHING_INLINE: InlineSources = { scripts: [], styles: [] }

/** Inline scripts and styles of a page are allowed only by their hash. */
const contentSecurityPolicy = ({ api, store, captcha }: OtherOrigins, { scripts, styles }: InlineSources) =>
  [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...scripts, ...captcha].join(' '),
    ["style-src 'self'", ...styles].join(' '),
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
    // The script of reCAPTCHA does not use trusted types: its writes go through the page's default policy.
    `trusted-types service-worker barcode-decoder${captcha.length === 0 ? '' : ' default'}`,
  ].join('; ')

/**
 * Device features of the pages: the counter scans with the camera, and prints on a receipt printer; nothing else is needed. A feature that is not
 * named is allowed for the page itself; Bluetooth is left out, because Chromium on Linux would warn on each page that it does not know the name.
 */
const PERMISSIONS_POLICY = [
  'camera=(self)',
  'usb=(self)',
  'serial=(self)',
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
].join(', ')

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * The policy of API answers, which are not documents: they may load and run nothing, and no page may frame them. Device features have no meaning
 * there.
 */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
const isData = (path: string) => /^\/(api|reporting)(\/|$)/.test(path)

/**
 * Sets security headers on every answer, errors included. API answers get the short policy: it is stricter, and keeps a redemption within two
 * kilobytes on the wire. A policy that an answer already has is even stricter, and is kept. `crossOrigin` decides which other origins may read an
 * answer.
 */
export function securityHeaders(
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  origins: OtherOrigins,
): MiddlewareHandler<PortalEnv> {
  const secure = publicUrl.startsWith('https:')
  const always = {
    ...HEADERS,
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
  const document = { ...always, 'permissions-policy': PERMISSIONS_POLICY }
  const headersOf = (policy: string) => Object.entries({ ...document, 'content-security-policy': policy })
  const plain = headersOf(contentSecurityPolicy(origins, NOTHING_INLINE))
  const data = Object.entries({ ...always, 'content-security-policy': DATA_POLICY })
  return async (c, next) => {
    await next()
    const inline = c.get('inline')
    const headers = isData(c.req.path) ? data : inline ? headersOf(contentSecurityPolicy(origins, inline)) : plain
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  }
}
