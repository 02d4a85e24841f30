import { hash } from '@node-rs/argon2'
import { hashPassword } from '../../server/services/accounts/passwords/passwordHash.ts'
import { median } from '../support/server/responseTimes.ts'
import type { Comparison } from './comparison.ts'
import { waitForQuietMachine } from './quietMachine.ts'

/** The weakest that is allowed: 19 MiB, two passes, one lane. */
const FLOOR = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const TIMES = 30
const SAMPLE_PASSWORD = 'Correct-Horse-2026!'

/**
 * One hash as the product makes it, beside the weakest that is allowed, in turn.
 * @throws Error when the product's is weaker.
 */
export async function compareHash(): Promise<Comparison> {
  const parameters = refuseWeak(await hashPassword(SAMPLE_PASSWORD))
  await waitForQuietMachine()
  const product: number[] = []
  const floor: number[] = []
  for (let turn = 0; turn < TIMES; turn++) {
    product.push(await timeOf(() => hashPassword(SAMPLE_PASSWORD)))
    floor.push(await timeOf(() => hash(SAMPLE_PASSWORD, FLOOR)))
  }
  return {
    what: `one password hash, Argon2id ${parameters}`,
    product: median(product),
    baseline: median(floor),
    unit: 'milliseconds',
    against: 'Argon2id of 19 MiB, 2 passes, 1 lane',
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** A hash names its own numbers. */
function refuseWeak(encoded: string): string {
  const [, kind, , parameters = ''] = encoded.split('$')
  const {
    m = 0,
    t = 0,
    p = 0,
  } = Object.fromEntries(parameters.split(',').map((pair) => [pair[0], Number(pair.slice(2))])) as {
    m?: number
    t?: number
    p?: number
  }
  const isStrong = m >= FLOOR.memoryCost && t >= FLOOR.timeCost && p >= FLOOR.parallelism
  if (kind !== 'argon2id' || !isStrong) throw new Error(`passwords are hashed too weakly: ${kind} ${parameters}`)
  return parameters
}
