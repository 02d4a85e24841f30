import type { SupportContact } from '../src/contract/system.ts'
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
  /** The origin people open: issuer of tokens; https makes the cookie `__Host-` and `Secure`. */
  publicUrl: string
  sessionIdleMinutes: number
  posIdleMinutes: number
  /** Where applications and onboardings are sent to be decided on. */
  providerEmail: string
  /** Whom the help page names. */
  support: SupportContact
  /** `required`: nobody but a POS user logs in without an authenticator app. `optional` asks those who have one. */
  mfa: 'required' | 'optional'
  /** Whether a till that nobody has enrolled may take vouchers (decision 0079); unset: `allowed`. */
  unenrolledTills?: 'allowed' | 'refused'
  /** A proxy in front of us tells the caller's address. */
  trustProxy?: boolean
  /** Other origins the portal may call, if its build allows them. */
  apiOrigins?: readonly string[]
  /** Other origins whose portal may call this server. */
  portalOrigins?: readonly string[]
  /** Who may read `metrics`; unset: nobody. */
  metricsToken?: string | undefined
  /** Unset: a proof of work instead. */
  recaptcha?: RecaptchaSettings | undefined
}

/** reCAPTCHA, or a service that speaks its protocol: `api.js` and `api/siteverify` below `url`. */
export interface RecaptchaSettings {
  url: string
  v3: { siteKey: string; secret: string }
  v2: { siteKey: string; secret: string }
}

/** What the outside gives the server. Nothing below `main.ts` reads the environment, the clock or the disk by itself. */
export interface Deps {
  database: Database
  batches: Batches
  queues: Queues
  clock: Clock
  secrets: Secrets
  settings: Settings
  /** A function, so that a test origin can swap builds under a running server. */
  assets: { directory(): string }
  log: Log
  metrics: Metrics
  store: FileStore | EmbeddedStore
  background: Background
  /** Told to stop: the requests that still come are the last ones. */
  isStopping(): boolean
  /** Said after a mail was put in the outbox, so that it need not wait until the sender looks. */
  mailWaiting(): void
}
