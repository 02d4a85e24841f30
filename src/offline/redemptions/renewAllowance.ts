import * as v from 'valibot'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { AllowanceGrant, type SignedGrant } from '../../contract/redemptions/allowance.ts'
import type { askAllowance, AllowanceRequest } from '../../contract/redemptions/allowanceEndpoints.ts'
import type { TillDatabase } from '../store/till.ts'
import { beginAsking, keepGrant } from './allowance.ts'

export interface RenewalPorts {
  database: TillDatabase
  wall: () => number
  /** Undefined where no answer came. */
  ask: (request: AllowanceRequest) => Promise<AnswerOf<typeof askAllowance> | undefined>
  /** Whether a key of the programme has signed it. */
  verify: (key: number, signed: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>) => Promise<string>
}

/** Where nothing is granted, or no answer comes while there is a connection. */
const AGAIN_MS = 15 * 60_000

/** Of its time: then a grant is renewed. */
const RENEWED_AFTER = 1 / 3

/**
 * Asks the server what this till may accept without a check from now on, and keeps it. Resolves to when it should be asked again, in
 * milliseconds of this device's clock. Throws what IndexedDB throws.
 */
export async function renewAllowance(ports: RenewalPorts, place: { till: string; branch: string }): Promise<number> {
  const asked_at = ports.wall()
  const { ask, told } = await beginAsking(ports.database)
  const answer = await ports.ask(told)
  const grant = answer?.grant ? await provenGrant(ports, answer.grant, place) : undefined
  // One that proves nothing is no answer.
  if (!answer || (answer.grant && !grant)) return asked_at + AGAIN_MS
  await keepGrant(ports.database, { ask, asked_at, grant }, ports.wall())
  if (!grant) return asked_at + AGAIN_MS
  return asked_at + (Date.parse(grant.ends_at) - Date.parse(grant.issued_at)) * RENEWED_AFTER
}

/** For this till at this branch, and signed by the programme. */
async function provenGrant(
  { verify }: RenewalPorts,
  { key, grant }: SignedGrant,
  place: { till: string; branch: string },
): Promise<AllowanceGrant | undefined> {
  const [content = '', signature = ''] = grant.split('.')
  const signed = new TextEncoder().encode(`allowance.${content}`)
  if ((await verify(key, signed, fromBase64Url(signature))) !== 'good') return undefined
  const parsed = v.safeParse(AllowanceGrant, JSON.parse(new TextDecoder().decode(fromBase64Url(content))))
  const isOurs = parsed.success && parsed.output.till === place.till && parsed.output.branch === place.branch
  return isOurs ? parsed.output : undefined
}

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.codePointAt(0)!)
