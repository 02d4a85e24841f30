import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { captchaProof as captchaProofTable } from '../../../server/db/schema/accounts.ts'
import { upload } from '../../../server/db/schema/organisations.ts'
import type { CaptchaAction, PowChallenge } from '../../../src/contract/accounts/captcha.ts'
import { captchaProof, solvedWork } from '../../support/accounts/captchaClient.ts'
import { startRecaptcha, type Recaptcha } from '../../support/accounts/recaptcha.ts'
import { get, post, type Ask } from '../../support/api/portalClient.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { type TestServer } from '../../support/server/testServer.ts'

const V3 = '/api/signup/recaptcha/verify/v3'
const V2 = '/api/signup/recaptcha/verify/v2'
interface Verified {
  proof?: string
  expires_at?: string
  fallback?: string
}

beforeEach(() => server.database.reset())

const verify = (through: Ask, path: string, token: string, action: CaptchaAction = 'upload') =>
  post<Verified>(through, path, { token, action })

/** Uses up `proof` on an endpoint that takes one. */
const spend = (proof: string, through: Ask = ask) =>
  post(through, '/api/s3_upload/s3_presigned_url/public', {
    kind: 'brand_logo',
    content_type: 'image/png',
    content_length: 100,
    captcha_token: proof,
  })

describe('SGN-02: a proof', () => {
  it('is good once, however many try at the same time', async () => {
    const proof = await captchaProof(ask, 'upload')
    const replies = await Promise.all(Array.from({ length: 8 }, () => spend(proof)))
    const statuses = replies.map(({ status, error }) => `${status} ${error ?? ''}`).toSorted()
    expect(statuses).toEqual(['200 ', ...Array.from({ length: 7 }, () => '400 CAPTCHA_INVALID')])
    expect(await db().$count(upload)).toBe(1)
  })

  it('is good for two minutes', async () => {
    const { data } = await verify(ask, V3, await solvedWork(ask))
    expect(Date.parse(data.expires_at!) - server.clock.now().getTime()).toBe(2 * 60_000)
    server.clock.advance({ minutes: 2 })
    expect(await spend(data.proof!)).toMatchObject({ status: 400, error: 'CAPTCHA_INVALID' })
    expect(await db().$count(upload)).toBe(0)
  })

  it('is good for its action only', async () => {
    const proof = await captchaProof(ask, 'signup')
    expect(await spend(proof)).toMatchObject({ status: 400, error: 'CAPTCHA_INVALID' })
    expect(await db().$count(upload)).toBe(0)
  })

  it('is not in the database as it travels', async () => {
    const proof = await captchaProof(ask, 'upload')
    const rows = await db().select().from(captchaProofTable)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(proof)
  })
})

describe('a proof of work', () => {
  const challenge = async () =>
    (await get<{ kind: string; challenge: PowChallenge }>(ask, '/api/signup/captcha')).data.challenge
  const decoded = (token: string) =>
    JSON.parse(Buffer.from(token, 'base64').toString()) as { challenge: PowChallenge; solution: { counter: number } }
  const encoded = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

  it('is what is asked for where nothing is configured, by either name', async () => {
    expect((await get<{ kind: string }>(ask, '/api/signup/captcha')).data.kind).toBe('pow')
    for (const path of [V3, V2]) {
      const { data } = await verify(ask, path, await solvedWork(ask))
      expect((await spend(data.proof!)).status).toBe(200)
    }
  })

  it('is worth one proof, however often and for whatever action it is shown', async () => {
    const token = await solvedWork(ask)
    const { solution, ...rest } = decoded(token)
    const again = encoded({ ...rest, solution: { ...solution, took: 7 } })
    const replies = await Promise.all([token, again, token].map((shown) => verify(ask, V3, shown)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    expect(await verify(ask, V2, token, 'signup')).toMatchObject({ status: 400, error: 'CAPTCHA_INVALID' })
    server.clock.advance({ minutes: 5 })
    expect(await verify(ask, V3, token)).toMatchObject({ status: 400, error: 'CAPTCHA_INVALID' })
  })

  it('is refused unless the challenge is ours, unchanged, solved and in time', async () => {
    const payload = decoded(await solvedWork(ask))
    const easier = { ...payload.challenge, parameters: { ...payload.challenge.parameters, keyPrefix: '00' } }
    const later = { ...payload.challenge.parameters.data, expires: payload.challenge.parameters.data.expires + 60 }
    const bad = [
      'not base64 of json',
      encoded({}),
      encoded({ ...payload, challenge: easier }),
      encoded({ ...payload, challenge: { ...payload.challenge, signature: '0'.repeat(64) } }),
      encoded({
        ...payload,
        challenge: { ...payload.challenge, parameters: { ...payload.challenge.parameters, data: later } },
      }),
      encoded({ ...payload, solution: { ...payload.solution, counter: payload.solution.counter + 1 } }),
      encoded({ ...payload, challenge: await challenge() }),
    ]
    for (const token of bad)
      expect(await verify(ask, V3, token)).toMatchObject({ status: 400, error: 'CAPTCHA_INVALID' })
    server.clock.advance({ minutes: 10 })
    expect(await verify(ask, V3, encoded(payload))).toMatchObject({ status: 400, error: 'CAPTCHA_INVALID' })
  })
})

describe('reCAPTCHA', () => {
  let recaptcha: Recaptcha
  let portal: Ask
  let app: TestServer['app']
  beforeAll(async () => {
    recaptcha = await startRecaptcha()
    app = createApp({ ...server.deps, settings: { ...server.deps.settings, recaptcha: recaptcha.settings } })
    portal = (path, init) => app.request(path, init)
  })
  afterAll(() => recaptcha.stop())

  it('is what is asked for once its keys are configured; the secrets stay here', async () => {
    const { body } = await get(portal, '/api/signup/captcha')
    const { url, v3, v2 } = recaptcha.settings
    expect(body).toEqual({
      data: {
        kind: 'recaptcha',
        script_url: `${url}/api.js?render=${v3.siteKey}`,
        site_key_v3: v3.siteKey,
        site_key_v2: v2.siteKey,
      },
    })
  })

  it('gives a proof for a good score of this action', async () => {
    const { data } = await verify(portal, V3, recaptcha.v3Token({ score: 0.9, action: 'upload' }))
    expect((await spend(data.proof!, portal)).status).toBe(200)
  })

  it('falls back to the box for a low score, and takes the box', async () => {
    const { status, data } = await verify(portal, V3, recaptcha.v3Token({ score: 0.3, action: 'upload' }))
    expect([status, data]).toEqual([200, { fallback: 'v2' }])
    const boxed = await verify(portal, V2, recaptcha.v2Token())
    expect((await spend(boxed.data.proof!, portal)).status).toBe(200)
  })

  it('SGN-02: refuses a token of another action, of the other version, made up, or shown twice', async () => {
    const used = recaptcha.v3Token({ score: 0.9, action: 'upload' })
    expect((await verify(portal, V3, used)).status).toBe(200)
    const refused: [string, string][] = [
      [V3, recaptcha.v3Token({ score: 0.9, action: 'signup' })],
      [V3, recaptcha.v2Token()],
      [V2, recaptcha.v3Token({ score: 0.9, action: 'upload' })],
      [V3, 'made up'],
      [V3, used],
    ]
    for (const [path, token] of refused) {
      expect(await verify(portal, path, token)).toMatchObject({ status: 400, error: 'CAPTCHA_INVALID' })
    }
  })

  it('SGN-02: gives one proof for one token even if the verifier would take it again', async () => {
    const token = recaptcha.v3Token({ score: 0.9, action: 'upload', reusable: true })
    const replies = await Promise.all(Array.from({ length: 5 }, () => verify(portal, V3, token)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400])
  })

  it('is 503 with Retry-After while the verifier is away or talks nonsense, and says so in the log', async () => {
    for (const trouble of ['status 500', 'not json', 'no verdict', 'gone'] as const) {
      recaptcha.trouble(trouble)
      const reply = await verify(portal, V2, recaptcha.v2Token())
      expect(reply).toMatchObject({ status: 503, error: 'CAPTCHA_UNAVAILABLE' })
      expect(reply.headers.get('retry-after')).toBe('5')
      recaptcha.trouble(undefined)
    }
    expect(server.log.events.filter(({ event }) => event === 'captcha_unavailable')).toHaveLength(4)
  })

  it('is named in the content security policy then, and only then', async () => {
    const policy = async (of: Ask) => (await of('/')).headers.get('content-security-policy') ?? ''
    const { origin } = new URL(recaptcha.settings.url)
    const configured = await policy(portal)
    expect(configured).toContain(`script-src 'self' 'wasm-unsafe-eval' ${origin};`)
    expect(configured).toContain(`frame-src ${origin};`)
    expect(configured).toContain(`connect-src 'self' ${origin};`)
    expect(await policy(ask)).toContain("frame-src 'none';")
  })
})
