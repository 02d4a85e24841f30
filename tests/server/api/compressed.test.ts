import { gunzipSync } from 'node:zlib'
import type * as v from 'valibot'
import { describe, expect } from 'vitest'
import { isCompressed } from '../../../server/http/compressed.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { send } from '../../support/api/portalClient.ts'
import { makeBranch } from '../../support/database/builders.ts'
import { ask, db, main, merchant, merchantIt as it } from '../../support/server/serverTest.ts'

const GZIP = { 'accept-encoding': 'gzip' }
const PAGE = { start: 0, limit: 100 }
const BRANCHES = 20

const table = (headers: Record<string, string>, change: object = {}) =>
  send(ask, 'POST', '/api/branch/datatable', { body: { ...PAGE, ...change }, token: main.token, headers })

const fill = async () => {
  for (let n = 0; n < BRANCHES; n += 1) await makeBranch(db(), merchant.organisation)
}

describe('a large answer', () => {
  it('is compressed for who takes that, and the same for all others', async () => {
    await fill()
    const [packed, plain] = [await table(GZIP), await table({})]
    expect([packed, plain].map(({ headers }) => [headers.get('content-encoding'), headers.get('vary')])).toEqual([
      ['gzip', 'accept-encoding'],
      [null, 'accept-encoding'],
    ])
    const [bytes, text] = [Buffer.from(await packed.arrayBuffer()), await plain.text()]
    expect(Number(plain.headers.get('content-length'))).toBe(Buffer.byteLength(text))
    expect(gunzipSync(bytes).toString()).toBe(text)
    expect(bytes.length).toBeLessThan(text.length / 3)
  })

  it('is compressed as an exported file too, but not as a PDF', async () => {
    const file = await send(ask, 'POST', '/api/branch/export', { body: PAGE, token: main.token, headers: GZIP })
    expect(file.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(Buffer.from(await file.arrayBuffer())).toString()).toMatch(/\r\n"End of file"\r\n$/)
    const pdf = await ask('/api/signup/merchant_agreement/pdf', { headers: GZIP })
    expect(pdf.headers.get('content-encoding')).toBeNull()
    const size = String((await pdf.arrayBuffer()).byteLength)
    expect([pdf.headers.get('content-length'), pdf.headers.get('x-file-size')]).toEqual([size, size])
  })

  it('has a weak tag, by which it is known again', async () => {
    const asked = (headers: Record<string, string>, method = 'GET') =>
      ask('/api/voucher/spent', { method, headers: { ...GZIP, ...headers } })
    const first = await asked({})
    const tag = first.headers.get('etag')!
    expect([first.status, first.headers.get('content-encoding'), tag]).toEqual([
      200,
      'gzip',
      expect.stringMatching(/^W\/"/),
    ])
    for (const known of [tag, tag.replace('W/', '')]) {
      const again = await asked({ 'if-none-match': known })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
    const head = await asked({}, 'HEAD')
    expect([head.status, head.headers.get('content-encoding'), await head.text()]).toEqual([200, null, ''])
  })
})

it('a small answer and a refusal go as they are', async () => {
  const none = await table(GZIP, { search_str: 'no such branch' })
  const refused = await table(GZIP, { limit: -1 })
  expect([none, refused].map(({ status }) => status)).toEqual([200, 422])
  for (const { headers } of [none, refused]) {
    expect(headers.get('content-encoding')).toBeNull()
    expect(Number(headers.get('content-length'))).toBeLessThan(1_024)
  }
})

/** Names of fields that hold something nobody may guess. */
const SECRET = /token|secret|password|recovery_codes|otpauth|grant|(^|_)url$|^code$|^pin$|^session$/
/** What two of these names mean in lists: a branch's code is no secret, and the flag says that a password is to be changed. */
const HARMLESS = ['code', 'must_change_password']

it('WEB-14: no answer that is compressed holds a token, a password, a code or a signed address', () => {
  const found = Object.entries<Endpoint>(ENDPOINTS).flatMap(([name, endpoint]) =>
    isCompressed(endpoint) && !('file' in endpoint.answer)
      ? fieldsOf(endpoint.answer)
          .filter((field) => SECRET.test(field) && !HARMLESS.includes(field))
          .map((field) => `${name} ${field}`)
      : [],
  )
  expect(found).toEqual([])
  for (const name of ['auth.login', 'account.refresh', 'devices.add', 'upload.presign', 'profile.get'] as const) {
    expect([name, isCompressed(ENDPOINTS[name])]).toEqual([name, false])
    expect(fieldsOf(ENDPOINTS[name].answer).some((field) => SECRET.test(field))).toBe(true)
  }
})

/** Returns the names of all fields of an answer, however deep. */
function fieldsOf(schema: v.GenericSchema): string[] {
  const { entries = {}, options = [], item = [], wrapped = [] } = schema as object as Partial<Record<string, object>>
  const inner = [Object.values(entries), options, item, wrapped].flat()
  const schemas = inner.filter((one) => typeof one === 'object') as v.GenericSchema[]
  return [...Object.keys(entries), ...schemas.flatMap(fieldsOf)]
}
