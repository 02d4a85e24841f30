import { Refusal } from '../services/Refusal.ts'
import { hasDuplicateKey } from './hasDuplicateKey.ts'
import { hasTooManyParts } from './hasTooManyParts.ts'
import { readWithTimeout } from './receive.ts'

const LIMIT_BYTES = 1_048_576
/**
 * A form is a packet or two; who sends it a byte at a time keeps a connection for nothing (cases FLT-10). A hundred branches of an
 * import are seventy kilobytes, over any line.
 */
const PATIENCE_MS = { least: 10_000, kilobyte: 125, most: 30_000 }
const JSON_TYPE = /^application\/json\s*(;\s*charset=utf-8\s*)?$/i
/** Keys that reach into prototypes when a parsed object is copied. Strict schemas refuse them too; this is before any schema. */
const POISON = new Set(['__proto__', 'constructor', 'prototype'])

const NO_LIST = { path: '', rule: 'object', message: 'must be an object' }

/**
 * The JSON of a body. Throws Refusal REQUEST_TIMEOUT, REQUEST_INCOMPLETE, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, MALFORMED_JSON,
 * or VALIDATION_FAILED for a list.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const isPlainJson = JSON_TYPE.test(request.headers.get('content-type') ?? '')
  // A compressed body could unfold to any size.
  if (!isPlainJson || request.headers.has('content-encoding')) throw new Refusal('UNSUPPORTED_MEDIA_TYPE')
  const bytes = await readWithTimeout(() => readBytes(request), patienceWith(request))
  if (hasTooManyParts(bytes)) throw new Refusal('PAYLOAD_TOO_LARGE')
  const body = parseJson(bytes)
  // Valibot takes a list for an object, and an empty one for an object whose every field is optional.
  if (Array.isArray(body)) throw new Refusal('VALIDATION_FAILED', { fields: [NO_LIST] })
  return body
}

function patienceWith({ headers }: Request): number {
  const { least, kilobyte, most } = PATIENCE_MS
  return Math.min(most, least + (Number(headers.get('content-length') ?? 0) / 1_024) * kilobyte)
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced === null) return readUpToLimit(request)
  if (Number(announced) > LIMIT_BYTES) throw new Refusal('PAYLOAD_TOO_LARGE')
  return new Uint8Array(await request.arrayBuffer())
}

/** Without Content-Length the size is only known by reading, so reading stops at the limit. */
async function readUpToLimit(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > LIMIT_BYTES) throw new Refusal('PAYLOAD_TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const parsed: unknown = JSON.parse(text, refusePoison)
    if (hasDuplicateKey(text)) throw new TypeError('duplicate key')
    return parsed
  } catch {
    throw new Refusal('MALFORMED_JSON')
  }
}

function refusePoison(key: string, value: unknown): unknown {
  if (POISON.has(key)) throw new TypeError('poisoned key')
  return value
}
