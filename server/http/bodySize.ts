import type { Endpoint } from '../../src/contract/endpoint.ts'

/** How much the body of a request may be: bytes, fields and items, and levels. */
export interface BodySize {
  bytes: number
  parts: number
  depth: number
}

const KIB = 1_024

/**
 * The longest of `small` is a solved captcha, of `form` a view, of `application` one of fifty brands (SGN-05). The largest of all, a
 * hundred branches of an import, is seventy kilobytes in three thousand parts.
 */
const SIZES: Record<NonNullable<Endpoint['size']>, BodySize> = {
  small: { bytes: 16 * KIB, parts: 40, depth: 3 },
  // Fifteen rows of a till, each with an id, a secret, a serial and a time.
  upload: { bytes: 16 * KIB, parts: 120, depth: 4 },
  form: { bytes: 64 * KIB, parts: 1_000, depth: 8 },
  application: { bytes: 512 * KIB, parts: 5_000, depth: 8 },
  batch: { bytes: KIB * KIB, parts: 10_000, depth: 10 },
}

/** What nobody has logged in for is small, unless the contract says otherwise. */
export const bodySizeOf = ({ access, alsoBy, size }: Endpoint): BodySize =>
  SIZES[size ?? (access === 'public' || access === 'challenge' || alsoBy ? 'small' : 'form')]

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, BRACKET_END, BRACE_END] = Buffer.from('"\\,[{]}')

/**
 * Whether the JSON in `bytes` has more fields, items or levels than it may. Asked before it is parsed: a megabyte of single
 * digits becomes eighty of memory, and holds the event loop for the better part of a second (TBL-08).
 */
export function isBeyond({ parts: mostParts, depth: mostDepth }: BodySize, bytes: Uint8Array): boolean {
  let [parts, depth] = [0, 0]
  let isText = false
  for (let at = 0; at < bytes.length && parts <= mostParts && depth <= mostDepth; at += 1) {
    const byte = bytes[at]
    if (isText && byte === BACKSLASH) at += 1
    else if (byte === QUOTE) isText = !isText
    else if (isText) continue
    else if (byte === COMMA) parts += 1
    else if (byte === BRACKET || byte === BRACE) {
      parts += 1
      depth += 1
    } else if (byte === BRACKET_END || byte === BRACE_END) depth -= 1
  }
  return parts > mostParts || depth > mostDepth
}
