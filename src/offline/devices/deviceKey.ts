import { Dexie, type Table } from 'dexie'
import * as v from 'valibot'
import { PublicKey } from '../../contract/devices/deviceReports.ts'
import { noteDeviceKey } from './hasDeviceKey.ts'

/** The key of this device (decision 0078): it signs, and nobody can take it out of this browser. One row. */
const DeviceKey = v.object({
  id: v.literal('device'),
  // Not `v.instance`: a page without a secure connection has no such class, and must still load this.
  privateKey: v.custom<CryptoKey>((key) => key instanceof CryptoKey),
  publicKey: PublicKey,
  /** Where the server knows it, the branch that it was used at last at the end. */
  branches: v.array(v.string()),
})

export type DeviceKey = v.InferOutput<typeof DeviceKey>

/** Only the counter makes it. */
class KeyDatabase extends Dexie {
  keys!: Table<DeviceKey, string>

  constructor() {
    super(NAME)
    this.version(1).stores({ keys: 'id' })
  }
}

const NAME = 'till-key'

let database: KeyDatabase | undefined

const opened = (): KeyDatabase => (database ??= new KeyDatabase())

/** Undefined before this device has one. A row that is none counts as none. */
export const findDeviceKey = async (): Promise<DeviceKey | undefined> =>
  (await Dexie.exists(NAME)) ? readKey() : undefined

async function readKey(): Promise<DeviceKey | undefined> {
  const parsed = v.safeParse(DeviceKey, await opened().keys.get('device'))
  if (!parsed.success) return undefined
  noteDeviceKey()
  latest = parsed.output
  return latest
}

/** The same, made when there is none. Throws what WebCrypto and IndexedDB throw. */
export async function ensureDeviceKey(): Promise<DeviceKey> {
  const known = await readKey()
  if (known) return known
  // Not extractable: whoever copies the storage of this browser has a key that no other browser can use.
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign'])
  const jwk = v.parse(PublicKey, pick(await crypto.subtle.exportKey('jwk', publicKey)))
  const made: DeviceKey = { id: 'device', privateKey, publicKey: jwk, branches: [] }
  const { keys } = opened()
  const kept = await opened().transaction('rw', keys, async () => {
    // Another tab may have been quicker.
    const first = await readKey()
    if (!first) await keys.put(made)
    return first ?? made
  })
  noteDeviceKey()
  latest = kept
  return kept
}

/** As it was read last: reading it takes longer than a check may. The reports read it anew each minute. */
let latest: DeviceKey | undefined

/** For every call. `anew` reads it again: storage may have been cleared under this page. Throws like `ensureDeviceKey`. */
export const deviceKeyForCalls = async (anew: boolean): Promise<DeviceKey> =>
  (anew ? undefined : latest) ?? ensureDeviceKey()

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** A JWK of a browser also says what the key may be used for. */
const pick = ({ kty, crv, x, y }: JsonWebKey) => ({ kty, crv, x, y })

/** The server knows the key at `branch`, where this device works now. */
export async function keyRegistered(branch: string): Promise<void> {
  const { keys } = opened()
  await opened().transaction('rw', keys, async () => {
    const key = await readKey()
    if (key) await keys.put({ ...key, branches: [...key.branches.filter((one) => one !== branch), branch] })
  })
}
