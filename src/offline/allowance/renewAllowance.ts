import type { AnswerOf } from '../../contract/endpoint.ts'
import type { askAllowance, AllowanceRequest } from '../../contract/redemptions/allowanceEndpoints.ts'
import type { TillDatabase } from '../store/till.ts'
import { beginAsking, keepAnswer } from './allowance.ts'

export interface RenewalPorts {
  database: TillDatabase
  wall: () => number
  /** Undefined where no answer came. */
  ask: (request: AllowanceRequest) => Promise<AnswerOf<typeof askAllowance> | undefined>
}

/** Where nothing is granted, or no answer comes while there is a connection. */
const AGAIN_MS = 15 * 60_000

/** Of its time: then a grant is renewed. */
const RENEWED_AFTER = 1 / 3

/**
 * Asks the server what this till may accept without a check from now on, and keeps it. Resolves to when it should be asked again, in
 * milliseconds of this device's clock. Throws what IndexedDB throws.
 */
export async function renewAllowance({ database, wall, ask }: RenewalPorts): Promise<number> {
  const asked_at = wall()
  const asking = await beginAsking(database)
  const answer = await ask(asking.told)
  if (answer) await keepAnswer(database, { ask: asking.ask, asked_at, answer }, wall())
  if (!answer?.grant) return asked_at + AGAIN_MS
  return asked_at + (Date.parse(answer.grant.ends_at) - Date.parse(answer.grant.issued_at)) * RENEWED_AFTER
}
