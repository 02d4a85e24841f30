import type { Context } from 'hono'
import { compress } from 'hono/compress'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Endpoint } from '../../src/contract/endpoint.ts'

/** Compresses JSON and CSV of a kilobyte and more. Workbooks and PDFs are compressed already. */
export const compressed = compress({ encoding: 'gzip', contentTypeFilter: /^(application\/json|text\/csv)/ })

/**
 * True for lists, tables, figures and files, which hold no secret. Other answers may have a token, a password, a code or a signed address beside the
 * text of somebody else, and the length of a compressed answer could reveal the secret letter by letter (docs/SECURITY.md).
 */
export const isCompressed = ({ access, answer, params, tagged }: Endpoint): boolean =>
  'file' in answer || tagged === true || (typeof access === 'object' && access.action === 'view' && !params)

/** Answers JSON with its length: without it `compressed` would compress small answers, too. */
export function jsonAnswer(c: Context, value: unknown, status: ContentfulStatusCode = 200): Response {
  const text = JSON.stringify(value)
  c.header('content-length', String(Buffer.byteLength(text)))
  return c.body(text, status, { 'content-type': 'application/json' })
}
