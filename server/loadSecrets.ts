import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type Config } from './config.ts'
import { readSecrets, type Secrets } from './secrets.ts'

/** The keys of this server: as configured, else those in DATA_DIR, made on the first start. Throws ConfigError. */
export function loadSecrets({ dataDir, jwtSecret, passwordKey }: Config): Secrets {
  const jwt = jwtSecret ?? keepSecret(dataDir, 'jwt-secret', () => randomBytes(48).toString('base64url'))
  const pem = passwordKey ?? keepSecret(dataDir, 'password-key.pem', makeRsaKey)
  try {
    return readSecrets(jwt, pem)
  } catch {
    throw new ConfigError('PASSWORD_KEY must be an RSA private key of 2048 bits or more, in PKCS8 PEM')
  }
}

function keepSecret(dataDir: string, name: string, make: () => string): string {
  const folder = join(dataDir, 'secrets')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, name)
  try {
    // `wx` never overwrites: an existing secret wins.
    writeFileSync(file, make(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}

const makeRsaKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
