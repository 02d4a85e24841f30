import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError, type Config } from '../config.ts'
import { syncFolder } from '../syncFolder.ts'
import { readPasswordKey, readSecrets, sealingKeyOf, type Secrets } from './secrets.ts'

/** The lifetime of a nonce that was sent with the old key. */
const ROTATION_MINUTES = 10

/**
 * Loads the configured keys of this server, or those in DATA_DIR, which the first start makes. After a rotation the previous password key stays valid
 * for ten minutes from `now`, the start of the process. Throws ConfigError for an unusable key.
 */
export function loadSecrets(config: Config, now: Date): Secrets {
  const { dataDir, jwtSecret, passwordKey } = config
  const jwt = jwtSecret ?? findOrMakeSecret(dataDir, 'jwt-secret', () => randomBytes(48).toString('base64url'))
  const pem = passwordKey ?? findOrMakeSecret(dataDir, 'password-key.pem', makeRsaKey)
  const previous =
    passwordKey === undefined ? findSecret(dataDir, 'password-key-previous.pem') : config.previousPasswordKey
  const secrets = readKeySetting('PASSWORD_KEY', () => readSecrets(jwt, pem))
  if (previous === undefined) return secrets
  const until = new Date(now.getTime() + ROTATION_MINUTES * 60_000)
  return {
    ...secrets,
    previousPasswordKey: { ...readKeySetting('PASSWORD_KEY_PREVIOUS', () => readPasswordKey(previous)), until },
  }
}

/**
 * Finds the key with which the servers seal secrets in rows, if it is configured or in DATA_DIR. Never makes a key, because no server would have it.
 */
export function findSealingKey({ dataDir, jwtSecret }: Config): Pick<Secrets, 'sealingKey'> | undefined {
  const jwt = jwtSecret ?? findSecret(dataDir, 'jwt-secret')
  return jwt === undefined ? undefined : { sealingKey: sealingKeyOf(jwt) }
}

function readKeySetting<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch {
    throw new ConfigError(`${name} must be an RSA private key of 2048 bits or more, in PKCS8 PEM`)
  }
}

const secretFile = (dataDir: string, name: string) => join(dataDir, 'secrets', name)

function findSecret(dataDir: string, name: string): string | undefined {
  const file = secretFile(dataDir, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function findOrMakeSecret(dataDir: string, name: string, make: () => string): string {
  const file = secretFile(dataDir, name)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    // `wx` never overwrites: an existing secret wins.
    writeFileSync(file, make(), { flag: 'wx', mode: 0o600, flush: true })
    syncFolder(dirname(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}

const makeRsaKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
