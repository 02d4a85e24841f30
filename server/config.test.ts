import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig, repliesAreUnread } from './config.ts'

const SHARED = { DATABASE_URL: 'postgres://db', JWT_SECRET: 'x'.repeat(32), PASSWORD_KEY: 'a\\nb' }

describe('the configuration', () => {
  it('has defaults for trying out', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:8080',
      dataDir: './data',
      databaseUrl: undefined,
      sessionIdleMinutes: 15,
      posIdleMinutes: 240,
      smtpUrl: undefined,
      mailFrom: 'no-reply@127.0.0.1',
      providerEmail: 'provider@demo.example',
      support: { email: 'provider@demo.example', phone: null },
      demo: 'auto',
      durability: 'required',
    })
  })

  it('takes an empty variable as unset, and a public address as its origin', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: 'https://portal.example/' })).toMatchObject({
      port: 8080,
      publicUrl: 'https://portal.example',
    })
    expect(readConfig({ HOST: '::1', PORT: '9000' }).publicUrl).toBe('http://[::1]:9000')
    expect(readConfig({ PUBLIC_URL: 'https://portal.example/' }).mailFrom).toBe('no-reply@portal.example')
    expect(readConfig(SHARED).passwordKey).toBe('a\nb')
    const support = { SUPPORT_EMAIL: 'help@portal.example', SUPPORT_PHONE: '+65 6123 4567' }
    expect(readConfig(support).support).toEqual({ email: 'help@portal.example', phone: '+65 6123 4567' })
  })

  const BAD: [Record<string, string>, string][] = [
    [{ PORT: 'eighty' }, 'PORT must be a whole number'],
    [{ PORT: '70000' }, 'PORT must be 65535 or less'],
    [{ PUBLIC_URL: 'portal' }, 'PUBLIC_URL must be a URL'],
    [{ PUBLIC_URL: 'ftp://portal.example' }, 'PUBLIC_URL must begin with http:// or https://'],
    [{ PUBLIC_URL: 'https://www.example.org/portal/' }, 'PUBLIC_URL must end after the host and port, without a path'],
    [{ PUBLIC_URL: 'https://portal.example/?a' }, 'PUBLIC_URL must end after the host and port, without a path'],
    [
      { API_ORIGINS: 'https://api.example, https://b.example/api' },
      'API_ORIGINS.1 must end after the host and port, without a path',
    ],
    [{ DATABASE_URL: 'mysql://db' }, 'DATABASE_URL must begin with postgres://'],
    [{ SMTP_URL: 'mail.example:25' }, 'SMTP_URL must begin with smtp:// or smtps://'],
    [{ SMTP_URL: 'smtp://mail.example' }, 'PROVIDER_EMAIL is required with SMTP_URL'],
    [{ PROVIDER_EMAIL: 'the provider' }, 'PROVIDER_EMAIL must be an email address'],
    [{ SUPPORT_EMAIL: 'the desk' }, 'SUPPORT_EMAIL must be an email address'],
    [{ SUPPORT_PHONE: 'ask at the desk' }, 'SUPPORT_PHONE must be digits and spaces'],
    [{ MAIL_FROM: 'the portal' }, 'MAIL_FROM must be an email address'],
    [{ SESSION_IDLE_MINUTES: '0' }, 'SESSION_IDLE_MINUTES must be 1 or more'],
    [{ MFA: 'on' }, 'MFA must be required or optional'],
    [{ DURABILITY: 'off' }, 'DURABILITY must be required or optional'],
    [{ DEMO: 'yes' }, 'DEMO must be on or off'],
    [{ JWT_SECRET: 'short' }, 'JWT_SECRET must be 32 characters or more'],
    [{ S3_BUCKET: 'files' }, 'S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY must be set too'],
    [{ S3_BUCKET: 'a/b' }, 'S3_BUCKET must be the name of a bucket'],
    [{ S3_ENDPOINT: 'store' }, 'S3_ENDPOINT must be a URL'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be 16 characters or more, without blanks'],
    [{ S3_CONDITIONAL_PUT: 'no' }, 'S3_CONDITIONAL_PUT must be on or off'],
    [
      { RECAPTCHA_SITE_KEY_V3: 'a', RECAPTCHA_SECRET_V3: 'b', RECAPTCHA_SITE_KEY_V2: 'c' },
      'RECAPTCHA_SECRET_V2 must be set too',
    ],
    [{ ...SHARED, JWT_SECRET: '' }, 'JWT_SECRET is required with DATABASE_URL'],
    [{ ...SHARED, PASSWORD_KEY: '' }, 'PASSWORD_KEY is required with DATABASE_URL'],
  ]
  it.each(BAD)('refuses %j in one line', (env, message) => {
    expect(() => readConfig(env)).toThrow(new ConfigError(message))
  })

  it('names a bucket and reCAPTCHA when they are set whole, and neither otherwise', () => {
    expect(readConfig({})).toMatchObject({ s3: undefined, recaptcha: undefined })
    const s3 = {
      S3_ENDPOINT: 'https://s3.example/',
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    }
    expect(readConfig(s3).s3).toEqual({
      endpoint: 'https://s3.example',
      bucket: 'files',
      region: 'us-east-1',
      accessKeyId: 'a',
      secretAccessKey: 'b',
      conditionalPut: true,
    })
    const keys = {
      RECAPTCHA_SITE_KEY_V3: 'a',
      RECAPTCHA_SECRET_V3: 'b',
      RECAPTCHA_SITE_KEY_V2: 'c',
      RECAPTCHA_SECRET_V2: 'd',
    }
    expect(readConfig(keys).recaptcha).toEqual({
      url: 'https://www.google.com/recaptcha',
      v3: { siteKey: 'a', secret: 'b' },
      v2: { siteKey: 'c', secret: 'd' },
    })
  })

  const NO_DEMO: [Record<string, string>, string][] = [
    [{ HOST: '0.0.0.0' }, 'HOST is not loopback'],
    [{ PUBLIC_URL: 'https://portal.example' }, 'PUBLIC_URL is not loopback'],
    [{ TRUST_PROXY: 'on' }, 'TRUST_PROXY is on'],
    [SHARED, 'DATABASE_URL is set'],
  ]
  it.each(NO_DEMO)('has no demo with %j, and refuses to be asked for it', (env, reason) => {
    expect(readConfig(env).demo).toBe('off')
    expect(() => readConfig({ ...env, DEMO: 'on' })).toThrow(new ConfigError(`DEMO cannot be on: ${reason}`))
  })

  it('seeds the demo when asked, and not when told not to', () => {
    expect(readConfig({ DEMO: 'on' }).demo).toBe('on')
    expect(readConfig({ DEMO: 'off' }).demo).toBe('off')
  })
})

it.each([
  [undefined, true],
  ['Do-Not-Reply@portal.example', true],
  ['portal@portal.example', false],
])('says that nobody reads what comes back to MAIL_FROM %s: %s', (mailFrom, isUnread) => {
  const env = { SMTP_URL: 'smtp://mail.example', PROVIDER_EMAIL: 'desk@portal.example', MAIL_FROM: mailFrom }
  expect(repliesAreUnread(readConfig(env))).toBe(isUnread)
  expect(repliesAreUnread(readConfig({ MAIL_FROM: mailFrom }))).toBe(false)
})
