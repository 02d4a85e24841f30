import * as v from 'valibot'
import { PublicKey } from '../../contract/devices.ts'
import { DeviceKey, type TillDatabase } from '../store/till.ts'

/** The key of this device; undefined before it has one. A row of another release counts as none. */
export async function readDeviceKey(database: TillDatabase): Promise<DeviceKey | undefined> {
  const parsed = v.safeParse(DeviceKey, await database.keys.get('device'))
  return parsed.success ? parsed.output : undefined
}

/** The same, made when there is none. Throws what WebCrypto and IndexedDB throw. */
export async function ensureDeviceKey(database: TillDatabase): Promise<DeviceKey> {
  const known = await readDeviceKey(database)
  if (known) return known
  // Not extractable: whoever copies the storage of this browser has a key that no other browser can use.
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign'])
  const jwk = v.parse(PublicKey, pick(await crypto.subtle.exportKey('jwk', publicKey)))
  const made: DeviceKey = { id: 'device', privateKey, publicKey: jwk, branches: [] }
  return database.transaction('rw', database.keys, async () => {
    // Another tab may have been quicker.
    const first = await readDeviceKey(database)
    if (!first) await database.keys.put(made)
    return first ?? made
  })
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** A JWK of a browser also says what the key may be used for. */
const pick = ({ kty, crv, x, y }: JsonWebKey) => ({ kty, crv, x, y })

/** The server knows the key at `branch`, where this device works now. */
export async function keyRegistered(database: TillDatabase, branch: string): Promise<void> {
  await database.transaction('rw', database.keys, async () => {
    const key = await readDeviceKey(database)
    if (key) await database.keys.put({ ...key, branches: [...key.branches.filter((one) => one !== branch), branch] })
  })
}
