import { formatInstant } from '../../src/domain/singaporeTime.ts'
import { listVoucherKeys, type StoredVoucherKey } from '../db/vouchers/signedVouchers.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { canOpen, endVoucherKey, makeVoucherKey, VoucherKeyError } from '../services/vouchers/voucherKeys.ts'
import { DeskError, type Desk } from './Desk.ts'

type SealingDesk = Desk & { secrets: Pick<Secrets, 'sealingKey'> }

/** Returns the desk with the servers' secrets. Throws DeskError without them, because servers must be able to open the keys that the desk seals. */
export function withSecrets(desk: Desk): SealingDesk {
  const { secrets } = desk
  if (!secrets) {
    throw new DeskError('This command needs the secret of the servers: set JWT_SECRET or DATA_DIR as on the servers.')
  }
  return { ...desk, secrets }
}

/** Prints all keys with their states. */
export async function listKeys(desk: Desk): Promise<void> {
  const keys = await listVoucherKeys(desk.database.db)
  if (keys.length === 0) return desk.print('There is no key. First: make-key')
  const lines = keys.map((key) => `${String(key.id).padEnd(5)} ${formatInstant(key.madeAt)}  ${keyState(desk, key)}`)
  desk.print(['KEY   MADE                STATE', ...lines].join('\n'))
}

function keyState({ secrets }: Desk, key: StoredVoucherKey): string {
  if (key.endedAt) return `ended on ${formatInstant(key.endedAt)}: proves nothing any more`
  if (key.rotatedAt) return `rotated on ${formatInstant(key.rotatedAt)}: still proves what it has signed`
  if (secrets && !canOpen({ secrets }, key)) return 'CANNOT SIGN: it was sealed by other secrets. Next: make-key'
  return 'signs'
}

/** Makes the key that signs vouchers from now on. */
export async function makeKey(desk: Desk): Promise<void> {
  const { id, before } = await makeVoucherKey(withSecrets(desk))
  const lines = [`Key ${id} signs vouchers from now on. A till learns the key when it next reaches a server.`]
  if (before !== undefined) lines.push(`Vouchers that key ${before} has signed stay good.`)
  desk.print(lines.join('\n'))
}

/** Ends a key whose signatures must prove nothing any more. */
export async function endKey(desk: Desk, { key }: { key: number }): Promise<void> {
  await endVoucherKey(desk, key).catch(throwDeskError)
  desk.print(
    `Key ${key} is ended. Without a connection, a till that knows this refuses the vouchers of this key. With one, they are as good as before.`,
  )
}

const ERROR_TEXTS: Record<VoucherKeyError['why'], string> = {
  'no key': 'There is no key that signs vouchers. First: make-key',
  'other secrets': 'The key was sealed by other secrets, so this server cannot sign with it. Next: make-key',
  unknown: 'There is no such key. list-keys shows them.',
  ended: 'This key is ended already.',
}

/** Throws a VoucherKeyError as a DeskError for the person at the desk, and any other error as before. */
export function throwDeskError(error: unknown): never {
  throw error instanceof VoucherKeyError ? new DeskError(ERROR_TEXTS[error.why], { cause: error }) : error
}
