import * as v from 'valibot'
import type { Endpoint } from '../contract/endpoint.ts'
import { Failure, success } from '../contract/envelope.ts'
import { health, ready } from '../contract/system.ts'
import type { Probed } from '../domain/connectivity.ts'
import { baseUrl } from './baseUrl.ts'
import { ports } from './ports.ts'
import { device, isServerFault, readRetryAfterSeconds } from './transport.ts'

/** Shorter than the limit of any call, so that a waiting page soon knows the reason. */
const TIMEOUT_MS = 5_000
/** The health check costs the server nothing: if it takes longer than this, the connection is slow. */
const LATE_MS = 2_500

/**
 * Finds out what answers at our server's address. Only our server echoes the nonce: a captive portal and a cached page also answer,
 * but do not know it (rule 15.1). `thorough` also checks that the server's database answers. Never rejects.
 */
export const probeServer = (thorough: boolean): Promise<Probed> => ports().runRequest(() => probe(thorough))

async function probe(thorough: boolean): Promise<Probed> {
  const nonce = crypto.randomUUID()
  const began = performance.now()
  const alive = await probeEndpoint(health, `?nonce=${nonce}`, (data) => data.nonce === nonce)
  const isLate = performance.now() - began > LATE_MS
  const probed = alive.contact === 'ours' && thorough ? await probeEndpoint(ready, '', () => true) : alive
  return probed.contact === 'ours' && isLate ? { contact: 'late' } : probed
}

async function probeEndpoint<E extends Endpoint>(
  endpoint: E,
  query: string,
  isOurs: (data: v.InferOutput<Extract<E['answer'], v.GenericSchema>>) => boolean,
): Promise<Probed> {
  try {
    // Redirects are not followed: a captive portal redirects to its login page; our server never redirects here.
    const response = await fetch(baseUrl(endpoint.base) + endpoint.path + query, {
      redirect: 'manual',
      cache: 'no-store',
      // The till's cookie identifies the device of a report.
      credentials: 'same-origin',
      headers: device.headers(endpoint.base),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body: unknown = await response.json().catch(() => undefined)
    const retryAfterSeconds = readRetryAfterSeconds(response)
    if (isServerFault(response))
      return { contact: 'fault', ...(retryAfterSeconds && { retryAfterMs: retryAfterSeconds * 1000 }) }
    const parsed = v.safeParse(success(endpoint.answer as v.GenericSchema), body)
    if (parsed.success) device.readAnswer(response)
    if (parsed.success) return { contact: isOurs(parsed.output.data as never) ? 'ours' : 'foreign' }
    // A refusal in our envelope, such as "too many requests", also comes from our server.
    return { contact: v.is(Failure, body) ? 'ours' : 'foreign' }
  } catch {
    return { contact: 'silent' }
  }
}
