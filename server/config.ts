import * as v from 'valibot'
import { email } from '../src/contract/fieldSchemas.ts'
import type { SupportContact } from '../src/contract/system.ts'
import type { RecaptchaSettings } from './Deps.ts'
import type { S3Options } from './store/s3Store.ts'

const LOOPBACK = new Set(['127.0.0.1', '::1', '[::1]', 'localhost'])

const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(least, `must be ${least} or more`),
    v.maxValue(most, `must be ${most} or less`),
  )

const emailAddress = v.pipe(
  v.string(),
  v.check((typed) => v.is(email, typed), 'must be an email address'),
)

const onOff = v.picklist(['on', 'off'], 'must be on or off')
const originUrl = v.pipe(
  v.string(),
  v.url('must be a URL'),
  v.regex(/^https?:\/\//, 'must begin with http:// or https://'),
  // The portal cannot run below a path: mails and files would lead to the wrong page.
  v.check((url) => new URL(url).href === `${new URL(url).origin}/`, 'must end after the host and port, without a path'),
  v.transform((url) => new URL(url).origin),
)

const originList = v.pipe(
  v.string(),
  v.transform((list) =>
    list
      .split(',')
      .map((origin) => origin.trim())
      .filter(Boolean),
  ),
  v.array(originUrl),
)

/** A PEM may be given on one line, with `\n` for its line breaks. */
const pem = v.pipe(
  v.string(),
  v.transform((text) => text.replaceAll('\\n', '\n')),
)

/** A URL that may have a path; ends without a slash. */
const baseUrl = v.pipe(
  v.string(),
  v.url('must be a URL'),
  v.regex(/^https?:\/\//, 'must begin with http:// or https://'),
  v.transform((url) => url.replace(/(?<!\/)\/+$/, '')),
)

/** Every variable that the server reads; docs/OPERATIONS.md lists them too. */
export const Environment = v.object({
  PORT: v.optional(wholeNumber(1, 65_535), '8080'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  PUBLIC_URL: v.optional(originUrl),
  DATA_DIR: v.optional(v.string(), './data'),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'))),
  SMTP_URL: v.optional(
    v.pipe(v.string(), v.regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://'), v.url('must be a URL')),
  ),
  MAIL_FROM: v.optional(emailAddress),
  PROVIDER_EMAIL: v.optional(emailAddress),
  SUPPORT_EMAIL: v.optional(emailAddress),
  SUPPORT_PHONE: v.optional(v.pipe(v.string(), v.regex(/^\+?\d[\d ]{2,20}$/, 'must be digits and spaces'))),
  SESSION_IDLE_MINUTES: v.optional(wholeNumber(1, 720), '15'),
  POS_IDLE_MINUTES: v.optional(wholeNumber(1, 720), '240'),
  MFA: v.optional(v.picklist(['required', 'optional'], 'must be required or optional')),
  UNENROLLED_TILLS: v.optional(v.picklist(['allowed', 'refused'], 'must be allowed or refused'), 'allowed'),
  DEMO: v.optional(onOff),
  TRUST_PROXY: v.optional(onOff, 'off'),
  DURABILITY: v.optional(v.picklist(['required', 'optional'], 'must be required or optional'), 'required'),
  /** Origins that the build allows as API base; the CSP has to name them as well. */
  API_ORIGINS: v.optional(originList, ''),
  /** Origins of portals elsewhere that may use this server as their API base. */
  PORTAL_ORIGINS: v.optional(originList, ''),
  JWT_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must be 32 characters or more'))),
  PASSWORD_KEY: v.optional(pem),
  PASSWORD_KEY_PREVIOUS: v.optional(pem),
  S3_ENDPOINT: v.optional(baseUrl),
  S3_BUCKET: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')),
  ),
  S3_REGION: v.optional(v.string(), 'us-east-1'),
  S3_ACCESS_KEY_ID: v.optional(v.string()),
  S3_SECRET_ACCESS_KEY: v.optional(v.string()),
  S3_CONDITIONAL_PUT: v.optional(onOff, 'on'),
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.regex(/^\S{16,}$/, 'must be 16 characters or more, without blanks'))),
  RECAPTCHA_URL: v.optional(baseUrl, 'https://www.google.com/recaptcha'),
  RECAPTCHA_SITE_KEY_V3: v.optional(v.string()),
  RECAPTCHA_SECRET_V3: v.optional(v.string()),
  RECAPTCHA_SITE_KEY_V2: v.optional(v.string()),
  RECAPTCHA_SECRET_V2: v.optional(v.string()),
})
type Environment = v.InferOutput<typeof Environment>

export interface Config {
  port: number
  host: string
  publicUrl: string
  dataDir: string
  databaseUrl: string | undefined
  /** Unset: mail goes to files in `dataDir`. */
  smtpUrl: string | undefined
  mailFrom: string
  providerEmail: string
  support: SupportContact
  sessionIdleMinutes: number
  posIdleMinutes: number
  /** Unset: required, or optional with the demo. */
  mfa: 'required' | 'optional' | undefined
  /** Decides whether a till that is not enrolled may take vouchers. */
  unenrolledTills: 'allowed' | 'refused'
  trustProxy: boolean
  /** `required`: refuses a PostgreSQL that could lose acknowledged data on a power cut. */
  durability: 'required' | 'optional'
  apiOrigins: string[]
  portalOrigins: string[]
  /** Unset: files go to a folder in `dataDir`. */
  s3: S3Options | undefined
  /** The token for reading this process's metrics; unset: nobody may read them. */
  metricsToken: string | undefined
  /** Unset: a proof of work is used instead. */
  recaptcha: RecaptchaSettings | undefined
  /** `on`: the demo was asked for; `auto`: seeds an empty database; `off`: never seeds. */
  demo: 'on' | 'auto' | 'off'
  jwtSecret: string | undefined
  passwordKey: string | undefined
  /** The key before a rotation, accepted for ten minutes after the start. */
  previousPasswordKey: string | undefined
}

/** A setting that cannot be used. The message is one line and never contains the value. */
export class ConfigError extends Error {
  override name = 'ConfigError' as const
}

/** Reads the configuration of this process (rule 17.1). Throws ConfigError. An empty variable counts as unset. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = v.safeParse(Environment, set, { abortPipeEarly: true })
  if (!parsed.success) throw new ConfigError(parsed.issues.map((i) => `${v.getDotPath(i)} ${i.message}`).join('; '))
  const given = parsed.output
  refuseMissingSecrets(given)
  refuseMissingProvider(given)
  const providerEmail = given.PROVIDER_EMAIL ?? DEMO_PROVIDER
  const publicUrl = given.PUBLIC_URL ?? `http://${hostOfUrl(given.HOST)}:${given.PORT}`
  return {
    port: given.PORT,
    host: given.HOST,
    publicUrl,
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`,
    providerEmail,
    support: { email: given.SUPPORT_EMAIL ?? providerEmail, phone: given.SUPPORT_PHONE ?? null },
    sessionIdleMinutes: given.SESSION_IDLE_MINUTES,
    posIdleMinutes: given.POS_IDLE_MINUTES,
    mfa: given.MFA,
    unenrolledTills: given.UNENROLLED_TILLS,
    trustProxy: given.TRUST_PROXY === 'on',
    durability: given.DURABILITY,
    apiOrigins: given.API_ORIGINS,
    portalOrigins: given.PORTAL_ORIGINS,
    s3: s3Of(given),
    metricsToken: given.METRICS_TOKEN,
    recaptcha: recaptchaOf(given),
    demo: demoOf(given),
    jwtSecret: given.JWT_SECRET,
    passwordKey: given.PASSWORD_KEY,
    previousPasswordKey: given.PASSWORD_KEY_PREVIOUS,
  }
}

/** True if nobody seems to read MAIL_FROM: a mail that was accepted and then could not be delivered comes back there. */
export const repliesAreUnread = ({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): boolean =>
  smtpUrl !== undefined && /^(no|do-?not)[-_.]?reply@/i.test(mailFrom)

/** Writes an IPv6 address in brackets, and `localhost` for "every address", which cannot be opened. */
function hostOfUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Processes that share a database must share their keys, so none of them can make its own. */
function refuseMissingSecrets(given: Environment): void {
  if (given.DATABASE_URL === undefined) return
  if (given.JWT_SECRET === undefined) throw new ConfigError('JWT_SECRET is required with DATABASE_URL')
  if (given.PASSWORD_KEY === undefined) throw new ConfigError('PASSWORD_KEY is required with DATABASE_URL')
}

function s3Of(given: Environment): S3Options | undefined {
  const set = allOrNone(given, ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  return (
    set && {
      endpoint: set.S3_ENDPOINT,
      bucket: set.S3_BUCKET,
      region: given.S3_REGION,
      accessKeyId: set.S3_ACCESS_KEY_ID,
      secretAccessKey: set.S3_SECRET_ACCESS_KEY,
      conditionalPut: given.S3_CONDITIONAL_PUT === 'on',
    }
  )
}

function recaptchaOf(given: Environment): RecaptchaSettings | undefined {
  const set = allOrNone(given, [
    'RECAPTCHA_SITE_KEY_V3',
    'RECAPTCHA_SECRET_V3',
    'RECAPTCHA_SITE_KEY_V2',
    'RECAPTCHA_SECRET_V2',
  ])
  return (
    set && {
      url: given.RECAPTCHA_URL,
      v3: { siteKey: set.RECAPTCHA_SITE_KEY_V3, secret: set.RECAPTCHA_SECRET_V3 },
      v2: { siteKey: set.RECAPTCHA_SITE_KEY_V2, secret: set.RECAPTCHA_SECRET_V2 },
    }
  )
}

/** Refuses a service that is only partly configured. Throws ConfigError naming the missing variables. */
function allOrNone<K extends keyof Environment>(
  given: Environment,
  names: readonly K[],
): { [N in K]: NonNullable<Environment[N]> } | undefined {
  const missing = names.filter((name) => given[name] === undefined)
  if (missing.length === names.length) return undefined
  if (missing.length > 0) throw new ConfigError(`${missing.join(', ')} must be set too`)
  return given as { [N in K]: NonNullable<Environment[N]> }
}

/** The provider's address while mail only goes to a folder. Mail that is sent must reach the people who decide. */
const DEMO_PROVIDER = 'provider@demo.example'
function refuseMissingProvider(given: Environment): void {
  if (given.SMTP_URL === undefined || given.PROVIDER_EMAIL !== undefined) return
  throw new ConfigError('PROVIDER_EMAIL is required with SMTP_URL')
}

/** Demo accounts have a published password, so the demo never runs where others could reach it (rule 17.2). */
function demoOf(given: Environment): Config['demo'] {
  const reasons = [
    ...(LOOPBACK.has(given.HOST) ? [] : ['HOST is not loopback']),
    ...(given.PUBLIC_URL === undefined || LOOPBACK.has(new URL(given.PUBLIC_URL).hostname)
      ? []
      : ['PUBLIC_URL is not loopback']),
    ...(given.TRUST_PROXY === 'on' ? ['TRUST_PROXY is on'] : []),
    ...(given.DATABASE_URL === undefined ? [] : ['DATABASE_URL is set']),
  ]
  if (reasons.length === 0) return given.DEMO ?? 'auto'
  if (given.DEMO === 'on') throw new ConfigError(`DEMO cannot be on: ${reasons.join(', ')}`)
  return 'off'
}
