import { limitConcurrency } from '../limitConcurrency.ts'
import { hashPassword } from '../accounts/passwords/passwordHash.ts'

/** Whoever signs in meanwhile finds at most these before it in the queue of `hashPassword`. */
const inTurn = limitConcurrency(2)

/** Hashes of the PINs or passwords of a batch, which are many at once. */
export const hashBatch = (secrets: readonly string[]): Promise<string[]> =>
  Promise.all(secrets.map((secret) => inTurn(() => hashPassword(secret))))
