import { hash, verify } from '@node-rs/argon2'
import { hashLanes, type HashLane } from './hashLanes.ts'

/** OWASP's first choice for Argon2id: 19 MiB, two passes. A hash names its own numbers, so they can be raised later. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The same characters typed on two devices may be composed differently; this makes them the same password. */
const composed = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> =>
  hashLanes.carryOut('signed in', () => hash(composed(password), COST))

/** Whose turn it is; and whether its caller has hung up. */
export interface Turn {
  lane: HashLane
  isGone?: () => boolean
}

/** Throws Refusal SERVER_BUSY like `Lanes.carryOut`. */
export const verifyPassword = (
  passwordHash: string,
  password: string,
  { lane, isGone }: Turn = { lane: 'signed in' },
): Promise<boolean> => hashLanes.carryOut(lane, () => verify(passwordHash, composed(password)), isGone)

let dummy: Promise<string> | undefined

/** Takes as long as a real check and always fails: for names nobody has, so that time does not tell who has an account. */
export async function verifyAgainstNobody(password: string, turn: Turn): Promise<false> {
  // In no lane: one that was refused would stay so.
  dummy ??= hash('nobody', COST)
  await verifyPassword(await dummy, password, turn)
  return false
}
