import { expect } from 'vitest'
import type { FieldIssue } from '../../../src/contract/envelope.ts'
import { ask, it } from '../../support/server/serverTest.ts'

const KIB = 1_024
/** The largest answer. A hundred issues would not fit into it. */
const MOST_ANSWERED = 12 * KIB
/** The longest time for one call, on a machine that does other work. Without limits, each of these calls took longer or answered megabytes. */
const ANSWERED_MS = 250

const JSON_TYPE = { 'content-type': 'application/json' }

async function send(path: string, body: string) {
  const began = performance.now()
  const response = await ask(path, { method: 'POST', headers: JSON_TYPE, body })
  const text = await response.text()
  const ms = performance.now() - began
  const { error, data } = JSON.parse(text) as { error: string; data: { fields?: FieldIssue[] } }
  return { status: response.status, error, fields: data.fields ?? [], bytes: Buffer.byteLength(text), ms }
}

const application = (fields: string) => `{"application":{${fields}},"captcha_proof":"x"}`

/** Bodies of 30 KB. Each of them once made the server do far too much work. */
const HOSTILE: Record<string, [path: string, body: string]> = {
  'ten thousand empty brands': ['/api/signup', application(`"brands":[${'{},'.repeat(9_900)}{}]`)],
  'a thousand empty brands': ['/api/signup', application(`"brands":[${'{},'.repeat(999)}{}]`)],
  'fifty brands of a hundred bad outlets': [
    '/api/signup',
    application(`"brands":[${`{"non_participating_outlets":[${'0,'.repeat(90)}0]},`.repeat(49)}{}]`),
  ],
  'an address of dots': ['/api/signup', application(`"website":"http://${'.'.repeat(30_000)}@"`)],
  'a field whose name is the body': ['/api/signup', `{"${'x'.repeat(30_000)}":1}`],
  'a login of many parts': ['/api/auth/login', `{"kind":[${'{},'.repeat(9_900)}{}]}`],
}

it.for(Object.entries(HOSTILE))('TBL-08: %s get a short answer at once', async ([, [path, body]]) => {
  await send(path, '{}')
  const { ms, bytes, ...answer } = await send(path, body)
  if (process.env['LOAD'] === 'long') process.stdout.write(`${JSON.stringify({ sent: body.length, bytes, ms })}\n`)
  expect(answer.status === 413 || answer.status === 422).toBe(true)
  expect(answer.fields.length).toBeLessThanOrEqual(50)
  expect(bytes).toBeLessThan(MOST_ANSWERED)
  expect(ms).toBeLessThan(ANSWERED_MS)
})
