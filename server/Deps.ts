import type { DemoLogins, SupportContact } from '../src/contract/system.ts'
import type { Background } from './background/background.ts'
import type { Clock } from './Clock.ts'
import type { Database } from './db/engine/Database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Queues } from './services/queues.ts'
import type { Batches } from './services/redemptions/batches.ts'
import type { EmbeddedStore } from './store/embeddedStore.ts'
import type { FileStore } from './store/FileStore.ts'

export interface Settings {
  /** The origin that people open, and the issuer of tokens. https makes the cookie `__Host-` and `Secure`. */
  publicUrl: string
  sessionIdleMinutes: number
  posIdleMinutes: number
  /** The email address of the provider, who decides on applications and onboardings. */
  providerEmail: string
  /** The contact shown on the help page. */
  support: SupportContact
  /** Shown at the login; unset: there is no demo. */
  demoLogins?: DemoLogins | undefined
  /** `required`: only POS users may log in without an authenticator app. `optional`: only users who have an app are asked for a code. */
  mfa: 'required' | 'optional'
  /** Decides whether a till that is not enrolled may take vouchers (decision 0079); unset: `allowed`. */
  unenrolledTills?: 'allowed' | 'refused'
  /** True if a proxy in front of the server sends the caller's address. */
  trustProxy?: boolean
  /** Other origins that the portal may call, if its build allows them. */
  apiOrigins?: readonly string[]
  /** Origins of other portals that may call this server. */
  portalOrigins?: readonly string[]
  /** The token for reading `metrics`; unset: nobody may read them. */
  metricsToken?: string | undefined
  /** Unset: a proof of work is used instead. */
  recaptcha?: RecaptchaSettings | undefined
}

/** reCAPTCHA, or a service with the same protocol: `api.js` and `api/siteverify` below `url`. */
export interface RecaptchaSettings {
  url: string
  v3: { siteKey: string; secret: string }
  v2: { siteKey: string; secret: string }
}

/** Everything the server gets from outside. Services and routes never read the environment, the time of day or the disk by themselves. */
export interface Deps {
  database: Database
  batches: Batches
  queues: Queues
  clock: Clock
  secrets: Secrets
  settings: Settings
  /** A function, so that a test can replace the build while the server runs. */
  assets: { directory(): string }
  log: Log
  metrics: Metrics
  store: FileStore | EmbeddedStore
  background: Background
  /** True once the server was told to stop: requests that still arrive are the last ones. */
  isStopping(): boolean
  /** Tells the mail sender that the outbox has a new mail, so that it is sent at once. */
  wakeMailSender(): void
}
