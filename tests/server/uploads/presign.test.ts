import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { upload } from '../../../server/db/schema/organisations.ts'
import { captchaProof } from '../../support/accounts/captchaClient.ts'
import { logIn, post, reply, send, type Ask } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, type Merchant } from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const PRIVATE = '/api/s3_upload/s3_presigned_url'
const PUBLIC = '/api/s3_upload/s3_presigned_url/public'
const LOGO = { kind: 'brand_logo', content_type: 'image/png', content_length: 40_000 }

interface Presigned {
  url: string
  key: string
  headers: Record<string, string>
  expires_at: string
}

beforeEach(() => server.database.reset())

describe('an address for a file of mine', () => {
  let merchant: Merchant
  let token: string
  beforeEach(async () => {
    merchant = await makeMerchant(db())
    token = (await logIn(ask, merchant.main)).token
  })

  const presign = (body: object) => post<Presigned>(ask, PRIVATE, body, token)

  it('UPL-01: the server picks the key, whatever the client calls its file', async () => {
    const names = ['../../x', '/etc/passwd', 'a%00.png', '..\\..\\x', 'x'.repeat(300), `${merchant.organisation.id}/a`]
    const keys = new Set<string>()
    for (const filename of names) {
      const { status, data } = await presign({ ...LOGO, filename })
      expect(status).toBe(200)
      expect(data.key).toMatch(new RegExp(`^${merchant.organisation.id}/brand_logo/[0-9a-f-]{36}$`))
      expect(new URL(data.url).pathname).toBe(`/files/incoming/${data.key}`)
      keys.add(data.key)
    }
    expect(keys.size).toBe(names.length)
  })

  it('UPL-01: a long name is cut between whole characters', async () => {
    const { data } = await presign({ ...LOGO, filename: `C:\\logos\\${'A'.repeat(199)}😀.png` })
    const [row] = await db().select().from(upload).where(eq(upload.key, data.key))
    expect(row!.filename).toBe(`${'A'.repeat(199)}…`)
  })

  it('UPL-01: a key, a path of one and a name with NUL are refused', async () => {
    for (const extra of [{ key: 'public/brand_logo/x' }, { path: '/x' }, { filename: 'a\u0000.png' }]) {
      expect(await presign({ ...LOGO, ...extra })).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    }
  })

  it('UPL-05, UPL-06: type and size are those of rules 13.1 and 13.2, told in their words', async () => {
    const logo = 'must be JPEG or PNG'
    const wrong: [object, string][] = [
      [
        { kind: 'profile_logo', content_type: 'image/png', content_length: 51 * 1_024 },
        'Profile logo size must not exceed 50KB.',
      ],
      [
        { kind: 'brand_logo', content_type: 'image/jpeg', content_length: 100 * 1_024 },
        'Brand logo size must be under 100KB.',
      ],
      [
        { kind: 'merchant_agreement', content_type: 'application/pdf', content_length: 5 * 1_024 * 1_024 + 1 },
        'Merchant agreement must be under 5MB.',
      ],
      [{ ...LOGO, content_type: 'image/svg+xml' }, logo],
      [{ ...LOGO, content_type: 'image/gif' }, logo],
      [{ ...LOGO, content_type: 'application/pdf' }, logo],
      [{ kind: 'merchant_agreement', content_type: 'image/png', content_length: 1 }, 'must be a PDF'],
      [{ ...LOGO, content_length: 0 }, 'must not be empty'],
    ]
    for (const [body, message] of wrong) {
      const { status, error, body: failure } = await presign(body)
      expect([status, error]).toEqual([422, 'VALIDATION_FAILED'])
      expect(failure).toMatchObject({ data: { fields: [{ message }] } })
    }
    const right = [
      { kind: 'profile_logo', content_type: 'image/jpeg', content_length: 50 * 1_024 },
      { kind: 'brand_logo', content_type: 'image/png', content_length: 100 * 1_024 - 1 },
      { kind: 'merchant_agreement', content_type: 'application/pdf', content_length: 5 * 1_024 * 1_024 },
    ]
    for (const body of right) expect((await presign(body)).status).toBe(200)
  })

  it('is given to an account behind the gate too, and to no POS user', async () => {
    const gated = await makeMerchant(db(), 'HRP Merchant', 'Pending Activation')
    expect((await post(ask, PRIVATE, LOGO, (await logIn(ask, gated.main)).token)).status).toBe(200)
    const till = await logIn(ask, await makePosUser(db()))
    expect(await post(ask, PRIVATE, LOGO, till.token)).toMatchObject({ status: 403, error: 'FORBIDDEN' })
  })

  it('UPL-07: 20 a minute, however many at once, then 429 until the minute is over', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => presign(LOGO)))
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), ...Array.from({ length: 20 }, () => 429)])
    const refused = await presign(LOGO)
    expect(refused).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(Number(refused.headers.get('retry-after'))).toBe(60)
    expect(await db().$count(upload)).toBe(20)
    const other = await logIn(ask, (await makeMerchant(db())).main)
    expect((await post(ask, PRIVATE, LOGO, other.token)).status).toBe(200)
    server.clock.advance({ seconds: 60 })
    expect((await presign(LOGO)).status).toBe(200)
  })
})

describe('an address for a file of an application', () => {
  const presign = async (body: object) => post<Presigned>(ask, PUBLIC, body)

  it('UPL-09: takes a captcha proof, once', async () => {
    expect(await presign(LOGO)).toMatchObject({ status: 403, error: 'CAPTCHA_REQUIRED' })
    expect(await presign({ ...LOGO, captcha_token: 'x'.repeat(43) })).toMatchObject({
      status: 400,
      error: 'CAPTCHA_INVALID',
    })
    const captcha_token = await captchaProof(ask, 'upload')
    const { status, data } = await presign({ ...LOGO, captcha_token })
    expect(status).toBe(200)
    expect(data.key).toMatch(/^public\/brand_logo\/[0-9a-f-]{36}$/)
    expect(await presign({ ...LOGO, captcha_token })).toMatchObject({ status: 400, error: 'CAPTCHA_INVALID' })
    expect(await db().$count(upload)).toBe(1)
  })

  it('UPL-09: is for logo and agreement only', async () => {
    const captcha_token = await captchaProof(ask, 'upload')
    const profile = { kind: 'profile_logo', content_type: 'image/png', content_length: 1_000, captcha_token }
    expect(await presign(profile)).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    // The refused call has not used up the proof.
    const agreement = {
      kind: 'merchant_agreement',
      content_type: 'application/pdf',
      content_length: 1_000,
      captcha_token,
    }
    expect((await presign(agreement)).status).toBe(200)
  })

  it('UPL-09: a hundred an hour for one IP address, told by the last proxy only where there is one', async () => {
    const app = createApp({ ...server.deps, settings: { ...server.deps.settings, trustProxy: true } })
    const proxied: Ask = (path, init) => app.request(path, init)
    const from = async (address: string, through: Ask = proxied) => {
      const body = { ...LOGO, captcha_token: await captchaProof(through, 'upload') }
      return reply(await send(through, 'POST', PUBLIC, { body, headers: { 'x-forwarded-for': address } }))
    }
    /** Counts 99 of the hundred requests of this hour for every address that has asked so far. */
    const useUpAllButOne = () => db().execute(`UPDATE throttle SET failures = 99 WHERE key LIKE 'presign-public:%'`)
    expect((await from('1.1.1.1, 203.0.113.7')).status).toBe(200)
    await useUpAllButOne()
    expect((await from('1.1.1.2, 203.0.113.7')).status).toBe(200)
    const refused = await from('198.51.100.1, 203.0.113.7')
    expect(refused).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(Number(refused.headers.get('retry-after'))).toBe(3_600)
    expect((await from('203.0.113.7, 198.51.100.1')).status).toBe(200)
    // Without a proxy the header is ignored, because any caller can set it.
    expect((await from('198.51.100.1', ask)).status).toBe(200)
    await useUpAllButOne()
    expect((await from('198.51.100.2', ask)).status).toBe(200)
    expect((await from('198.51.100.99', ask)).status).toBe(429)
    server.clock.advance({ hours: 1 })
    expect((await from('203.0.113.7')).status).toBe(200)
  })
})
