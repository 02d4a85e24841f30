import { hash, verify } from '@node-rs/argon2'
import type { Deps } from '../../../Deps.ts'

/** OWASP's first choice for Argon2id: 19 MiB, two passes. A hash contains its own parameters, so they can be raised later. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Two devices may encode the same characters differently. This makes them the same password. */
const normalise = (password: string) => password.normalize('NFKC')

/** Hashes at once, without a queue. Requests use `hashInTurn`. */
export const hashPassword = (password: string): Promise<string> => hash(normalise(password), COST)

/** Hashes a password in the queue of hashes. Throws Refusal SERVER_BUSY. */
export const hashInTurn = ({ queues }: Pick<Deps, 'queues'>, password: string): Promise<string> =>
  queues.hashes.run(() => hashPassword(password), { key: 'logged in' })

/**
 * The kind of caller that a hash is made for. `counter`: a PIN, or a login from a device that has logged in before. `logged in`: a caller with a
 * session or a link. `strangers`: all others. `isGone` says whether the caller has hung up.
 */
export interface Turn {
  caller: 'counter' | 'logged in' | 'strangers'
  isGone?: () => boolean
}

/** Checks a password in its queue. Throws Refusal SERVER_BUSY. */
export function verifyPassword(
  { queues }: Pick<Deps, 'queues'>,
  passwordHash: string,
  password: string,
  { caller: key, ...turn }: Turn = { caller: 'logged in' },
): Promise<boolean> {
  const queue = key === 'strangers' ? queues.strangersHashes : queues.hashes
  return queue.run(() => verify(passwordHash, normalise(password)), { key, ...turn })
}

let dummy: Promise<string> | undefined

/** Takes as long as a real check and always fails. It runs for unknown names, so that the time does not tell which accounts exist. */
export async function verifyAgainstNobody(deps: Pick<Deps, 'queues'>, password: string, turn: Turn): Promise<false> {
  // Hashes without the queue, because a refusal would be kept for ever.
  dummy ??= hashPassword('nobody')
  await verifyPassword(deps, await dummy, password, turn)
  return false
}
