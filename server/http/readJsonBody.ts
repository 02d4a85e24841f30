import type { Endpoint } from '../../src/contract/endpoint.ts'
import { within } from '../../src/domain/within.ts'
import { Refusal } from '../services/Refusal.ts'

/** Limits of a request's body: bytes, fields and items, and levels. */
interface BodySize {
  bytes: number
  parts: number
  depth: number
}

const KIB = 1_024

/**
 * The longest body of `small` is a solved captcha, of `application` one with fifty brands (SGN-05), of `batch` a request of an import
 * (LIMITS.importBatch).
 */
const SIZES: Record<NonNullable<Endpoint['size']>, BodySize> = {
  small: { bytes: 16 * KIB, parts: 40, depth: 3 },
  // A hundred rows of a till; a voucher accepted without a check has nine fields.
  sync: { bytes: 64 * KIB, parts: 1_100, depth: 4 },
  form: { bytes: 64 * KIB, parts: 1_000, depth: 8 },
  application: { bytes: 512 * KIB, parts: 5_000, depth: 8 },
  batch: { bytes: KIB * KIB, parts: 10_000, depth: 10 },
}

/** The limits of an endpoint's body: small for calls without a login, unless the contract says otherwise. */
export const bodySizeOf = ({ access, size }: Endpoint): BodySize =>
  SIZES[size ?? (access === 'public' || access === 'challenge' ? 'small' : 'form')]

/**
 * The time to receive a body, in milliseconds. A form is a packet or two; a client that sends a byte at a time only keeps a connection (FLT-10). A
 * large body gets more time, for a slow connection.
 */
const PATIENCE_MS = { least: 10_000, kilobyte: 125, most: 30_000 }

const JSON_TYPE = /^application\/json\s*(;\s*charset=utf-8\s*)?$/i

/** Keys that reach into prototypes when a parsed object is copied. Strict schemas refuse these keys too, but this check comes before any schema. */
const POISON = new Set(['__proto__', 'constructor', 'prototype'])

const NO_LIST = { path: '', rule: 'object', message: 'must be an object' }

/**
 * Reads the JSON of a body of at most `size`. Throws Refusal REQUEST_TIMEOUT, REQUEST_INCOMPLETE, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE,
 * MALFORMED_JSON, or VALIDATION_FAILED for a list.
 */
export async function readJsonBody(request: Request, size: BodySize): Promise<unknown> {
  const isPlainJson = JSON_TYPE.test(request.headers.get('content-type') ?? '')
  // A compressed body could expand to any size.
  if (!isPlainJson || request.headers.has('content-encoding')) throw new Refusal('UNSUPPORTED_MEDIA_TYPE')
  const bytes = await readWithTimeout(() => readBytes(request, size.bytes), patienceWith(request))
  const fields = fieldsWithin(size, bytes)
  if (fields === undefined) throw new Refusal('PAYLOAD_TOO_LARGE')
  const body = parseJson(bytes, fields)
  // Valibot accepts a list as an object, and an empty one for an object with only optional fields.
  if (Array.isArray(body)) throw new Refusal('VALIDATION_FAILED', { fields: [NO_LIST] })
  return body
}

function patienceWith({ headers }: Request): number {
  const { least, kilobyte, most } = PATIENCE_MS
  return Math.min(most, least + (Number(headers.get('content-length') ?? 0) / 1_024) * kilobyte)
}

async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced === null) return readUpTo(most, request)
  if (Number(announced) > most) throw new Refusal('PAYLOAD_TOO_LARGE')
  return new Uint8Array(await request.arrayBuffer())
}

/** Without Content-Length the size is only known by reading, so reading stops at the limit. */
async function readUpTo(most: number, request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > most) throw new Refusal('PAYLOAD_TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const [QUOTE, BACKSLASH, COLON, COMMA, BRACKET, BRACE, BRACKET_END, BRACE_END] = Buffer.from('"\\:,[{]}')

/**
 * Counts the fields in the JSON of `bytes`; `undefined` if it has more fields, items or levels than allowed. Runs before parsing: a megabyte of
 * single digits takes eighty megabytes of memory, and blocks the event loop for most of a second (TBL-08).
 */
function fieldsWithin({ parts: mostParts, depth: mostDepth }: BodySize, bytes: Uint8Array): number | undefined {
  let [fields, parts, depth] = [0, 0, 0]
  let isText = false
  for (let at = 0; at < bytes.length && parts <= mostParts && depth <= mostDepth; at += 1) {
    const byte = bytes[at]
    if (isText && byte === BACKSLASH) at += 1
    else if (byte === QUOTE) isText = !isText
    else if (isText) continue
    else if (byte === COLON) fields += 1
    else if (byte === COMMA) parts += 1
    else if (byte === BRACKET || byte === BRACE) {
      parts += 1
      depth += 1
    } else if (byte === BRACKET_END || byte === BRACE_END) depth -= 1
  }
  return parts > mostParts || depth > mostDepth ? undefined : fields
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses JSON and refuses a field that an object names twice: `JSON.parse` silently takes the last, while another parser on the way may have checked
 * the first (ACL-12). The value then has fewer fields than `fields`.
 */
function parseJson(bytes: Uint8Array, fields: number): unknown {
  // Starts at -1: the whole value is visited last, under an empty key.
  let found = -1
  const countField = function (this: unknown, key: string, value: unknown): unknown {
    if (POISON.has(key)) throw new TypeError('poisoned key')
    if (!Array.isArray(this)) found += 1
    return value
  }
  try {
    const parsed: unknown = JSON.parse(UTF8.decode(bytes), countField)
    if (found !== fields) throw new TypeError('duplicate key')
    return parsed
  } catch {
    throw new Refusal('MALFORMED_JSON')
  }
}

/**
 * Runs `read` on the body of a request, within `ms`. Throws Refusal REQUEST_TIMEOUT when it is not complete by then, and REQUEST_INCOMPLETE when
 * the client hangs up: neither is a fault of the server or the database.
 */
export async function readWithTimeout<T>(read: () => Promise<T>, ms: number): Promise<T> {
  try {
    return await within(ms, read(), () => {
      throw new Refusal('REQUEST_TIMEOUT')
    })
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('REQUEST_INCOMPLETE')
  }
}
