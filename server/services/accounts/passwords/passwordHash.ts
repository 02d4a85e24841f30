import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Lanes } from '../../Lanes.ts'

/**
 * Who a hash is made for. `counter`: a PIN, or a login of a device that has signed in before. `signed in`: whoever has shown a
 * session or a link. `strangers`: anybody.
 */
type HashLane = 'counter' | 'signed in' | 'strangers'

/** As many threads as Node has for such work. Each hash takes 19 MiB and a core: more would only make all of them slower. */
const AT_ONCE = 4

/** Strangers leave half of the cores to everybody else, and wait for a second at most: behind more they would have hung up. */
export const hashLanes = new Lanes<HashLane>(
  {
    counter: { atOnce: AT_ONCE, waiting: 200 },
    'signed in': { atOnce: 2, waiting: 200 },
    strangers: { atOnce: Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2))), waiting: 20 },
  },
  AT_ONCE,
)

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
