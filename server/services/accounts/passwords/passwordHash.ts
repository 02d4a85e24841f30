import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency } from '../../limitConcurrency.ts'

/** OWASP's first choice for Argon2id: 19 MiB, two passes. A hash names its own numbers, so they can be raised later. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each takes 19 MiB and a core: more at once only make every sign-in slower. */
const inTurn = limitConcurrency(4)

/** The same characters typed on two devices may be composed differently; this makes them the same password. */
const composed = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(composed(password), COST))

export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  inTurn(() => verify(passwordHash, composed(password)))

let dummy: Promise<string> | undefined

/** Takes as long as a real check and always fails: for names nobody has, so that time does not tell who has an account. */
export async function verifyAgainstNobody(password: string): Promise<false> {
  dummy ??= hashPassword('nobody')
  await verifyPassword(await dummy, password)
  return false
}
