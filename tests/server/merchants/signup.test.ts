import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { background } from '../../../server/background/background.ts'
import { application, review } from '../../../server/db/schema/merchants.ts'
import { appUser, organisation } from '../../../server/db/schema/organisations.ts'
import { openAccounts } from '../../../server/services/merchants/openAccounts.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Brand, MerchantApplication } from '../../../src/contract/merchants/application.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import {
  encryptPassword,
  get,
  post,
  reply,
  send as sendRequest,
  tryToLogIn,
  type Ask,
  type Reply,
} from '../../support/api/portalClient.ts'
import { makeMerchant, makeOrganisation, makeUser, NEW_PASSWORD } from '../../support/database/builders.ts'
import { makeApplication, makeBrand, signupProof } from '../../support/merchants/application.ts'
import { db, it, server } from '../../support/server/serverTest.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import { makeImage } from '../../support/uploads/makeImage.ts'
import { makeUpload } from '../../support/uploads/makeUpload.ts'

let ask: Ask
it.beforeAll(async () => {
  const app = createApp({ ...server.deps, settings: { ...server.deps.settings, trustProxy: true } })
  ask = (path, init) => app.request(path, init)
})

const settled = () => server.deps.background.settled()
const PROVIDER = 'provider@test.example'
const ACCEPTED = { status: 200, body: { data: { accepted: true } } }

let addresses = 0
/** Returns a new address each time: the server takes ten applications an hour from one address. */
const nextAddress = () => `10.0.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`

interface Sending {
  proof?: string
  from?: string
}
async function send(sent: unknown, { proof, from = nextAddress() }: Sending = {}): Promise<Reply> {
  const body = { application: sent, captcha_proof: proof ?? (await signupProof(server.deps)) }
  return reply(await sendRequest(ask, 'POST', '/api/signup', { body, headers: { 'x-forwarded-for': from } }))
}

async function apply(given: Partial<MerchantApplication> = {}): Promise<MerchantApplication> {
  const sent = await makeApplication(server.deps, given)
  expect(await send(sent)).toMatchObject(ACCEPTED)
  await settled()
  return sent
}

const linkOf = (text: string | null | undefined) => /\S+#token=[\w-]+/.exec(text ?? '')?.[0] ?? ''
const tokenOf = (text: string | null | undefined) => linkOf(text).split('#token=')[1] ?? ''
const kindsTo = async (address: string) => (await mailsTo(db(), address)).map(({ kind }) => kind)

async function accountOf({ email }: MerchantApplication) {
  const [found] = await db()
    .select({ user: appUser, organisation })
    .from(appUser)
    .innerJoin(organisation, eq(organisation.id, appUser.organisationId))
    .where(eq(appUser.loginName, email))
  return found
}

describe('who applies', () => {
  it('as an HRP merchant gets a link to activate, and with it a gated account', async () => {
    const sent = await apply({ credit_terms_days: 45 })
    expect(await accountOf(sent)).toMatchObject({
      user: { type: 'HRP Merchant', status: 'Pending', passwordHash: null },
      organisation: { type: 'HRP', status: 'Pending', name: sent.organisation_name, creditTermsDays: 45 },
    })
    const [mail, ...others] = await mailsTo(db(), sent.email)
    expect([mail?.kind, others]).toEqual(['activation', []])
    expect(linkOf(mail?.text)).toMatch(/\/login\?step=activate#token=/)

    const encrypted_new_password = await encryptPassword(ask, NEW_PASSWORD)
    const step = await post<{ access_token: string }>(ask, '/api/auth/set_new_password', {
      token: tokenOf(mail?.text),
      encrypted_new_password,
    })
    const { data } = await get<{ user: object; permissions: object }>(
      ask,
      '/api/account/my_info',
      step.data.access_token,
    )
    expect(data.user).toMatchObject({ type: 'HRP Merchant', status: 'Pending Activation', login_name: sent.email })
    expect(data.permissions).toEqual({})
    const refused = await post(ask, '/api/voucher/datatable', { start: 0, limit: 10 }, step.data.access_token)
    expect(refused).toMatchObject({ status: 403, error: 'ACCOUNT_GATED' })
    expect((await get(ask, '/api/signup/product_service_category/list', step.data.access_token)).status).toBe(200)
  })

  it('as an event stall hears that it was received; the provider gets the link, the stall none yet', async () => {
    const sent = await apply({ role: 'adhoc' })
    expect(await kindsTo(sent.email)).toEqual(['application_received'])
    const mail = (await mailsTo(db(), PROVIDER)).at(-1)
    expect(mail).toMatchObject({ kind: 'review', subject: expect.stringContaining('Application to review') })
    expect(linkOf(mail?.text)).toMatch(/\/review#token=/)
    expect(mail?.text).toContain(sent.organisation_name)
  })

  it('gets a merchant number that nobody has, whatever numbers were given out by hand', async () => {
    const first = await accountOf(await apply())
    const taken = Number(first?.organisation.merchantId) + 1
    await makeOrganisation(db(), { merchantId: String(taken) })
    const second = await accountOf(await apply())
    expect(Number(second?.organisation.merchantId)).toBe(taken + 1)
  })

  it('finds the categories in the order of the list', async () => {
    const { data } = await get<{ guid: string; name: string }[]>(ask, '/api/signup/product_service_category/list')
    expect(data.length).toBeGreaterThan(20)
    expect(data.at(-1)?.name).toBe('Others')
  })

  it('must have accepted the terms in force', async () => {
    const refused = await send(await makeApplication(server.deps, { terms_version: '0.9' }))
    expect(refused).toMatchObject({ status: 422, error: 'TERMS_OUTDATED' })
  })

  it('must have uploaded a logo that is one', async () => {
    const square = await makeUpload(server.deps, 'public', 'brand_logo', await makeImage({ width: 100, height: 100 }))
    const withLogo = async (logo: string) =>
      send(await makeApplication(server.deps, { brands: [await makeBrand(server.deps, { logo })] }))
    const unknown = await withLogo(`public/brand_logo/${randomUUID()}`)
    expect(unknown).toMatchObject({ status: 422, error: 'UPLOAD_UNKNOWN' })
    expect(fieldsOf(unknown)).toMatchObject([{ path: 'application.brands.0.logo' }])
    expect(await withLogo(square)).toMatchObject({ status: 422, error: 'INVALID_IMAGE' })
  })

  it('once with a proof: a second application with it is refused, and leaves nothing (SGN-02)', async () => {
    const proof = await signupProof(server.deps)
    const [first, second] = [await makeApplication(server.deps), await makeApplication(server.deps)]
    expect(await send(first, { proof })).toMatchObject(ACCEPTED)
    expect(await send(second, { proof })).toMatchObject({ status: 400, error: 'CAPTCHA_INVALID' })
    expect(await db().$count(application, eq(application.id, second.id))).toBe(0)
    expect(await send(second)).toMatchObject(ACCEPTED)
    await settled()
  })
})

describe('the same application again', () => {
  it('gives the same answer and does nothing twice, also twenty at once', async () => {
    const sent = await makeApplication(server.deps)
    const proof = await signupProof(server.deps)
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(sent, { proof, from: '10.9.9.9' })))
    await settled()
    for (const reply of replies) expect(reply).toMatchObject(ACCEPTED)
    expect(await send(sent, { proof })).toMatchObject(ACCEPTED)
    await settled()
    expect(await kindsTo(sent.email)).toEqual(['activation'])
    expect(await db().$count(application, eq(application.email, sent.email))).toBe(1)
    expect(await db().$count(appUser, eq(appUser.loginName, sent.email))).toBe(1)
  })

  it('changed under the same id is refused, not dropped in silence', async () => {
    const sent = await apply()
    const changed = await send({ ...sent, email: 'other@test.example' })
    expect(changed).toMatchObject({ status: 422, error: 'IDEMPOTENCY_KEY_REUSED' })
  })

  it('is not lost when the server dies before the work after the answer', async () => {
    const app = createApp({ ...server.deps, background: { ...background(silentLog), run: () => false } })
    const sent = await makeApplication(server.deps)
    const body = { application: sent, captcha_proof: await signupProof(server.deps) }
    const reply = await post((path, init) => app.request(path, init), '/api/signup', body)
    expect(reply).toMatchObject(ACCEPTED)
    expect(await accountOf(sent)).toBeUndefined()
    await Promise.all([openAccounts(server.deps), openAccounts(server.deps)])
    expect(await kindsTo(sent.email)).toEqual(['activation'])
  })
})

describe('SGN-01: an email that is known', () => {
  it('gets the same answer; its owner hears that there is an account, three times an hour at most', async () => {
    const { main } = await makeMerchant(db())
    const before = await db().$count(organisation)
    for (let tries = 0; tries < 5; tries += 1) {
      await apply({ email: main.loginName, organisation_name: 'Win a prize at evil.example' })
    }
    const mails = await mailsTo(db(), main.loginName)
    expect(mails.map(({ kind }) => kind)).toEqual(['account_exists', 'account_exists', 'account_exists'])
    expect(mails[0]).toMatchObject({ subject: expect.stringContaining('Account already exists') })
    expect(mails[0]?.text).not.toContain('evil.example')
    expect(await db().$count(organisation)).toBe(before)
  })

  it('of an account that was never activated gets its link again, and only the newest is good', async () => {
    const first = await apply()
    await apply({ email: first.email })
    const mails = await mailsTo(db(), first.email)
    expect(mails.map(({ kind }) => kind)).toEqual(['activation', 'activation'])
    const use = async (text: string | null) =>
      post(ask, '/api/auth/set_new_password', {
        token: tokenOf(text),
        encrypted_new_password: await encryptPassword(ask, NEW_PASSWORD),
      })
    expect(await use(mails[0]!.text)).toMatchObject({ error: 'LINK_INVALID' })
    expect(await use(mails[1]!.text)).toMatchObject({ status: 200 })
  })

  it('of two different applications at once makes one account', async () => {
    const email = `twice-${randomUUID()}@test.example`
    const both = [await makeApplication(server.deps, { email }), await makeApplication(server.deps, { email })]
    await Promise.all(both.map((one) => send(one)))
    await settled()
    expect(await db().$count(appUser, eq(appUser.loginName, email))).toBe(1)
    expect(await kindsTo(email)).toEqual(['activation', 'activation'])
  })

  it('of a POS user or of an invited branch opens no second account either', async () => {
    const { organisation: owner, branch } = await makeMerchant(db())
    const invited = await makeUser(
      db(),
      'Branch Merchant',
      { organisation: owner, branch },
      {
        status: 'Pending Activation',
        passwordHash: null,
        passwordChangedAt: null,
      },
    )
    await apply({ email: invited.loginName })
    expect(await kindsTo(invited.loginName)).toEqual(['account_exists'])
  })
})

describe('the mail about an application, asked for again', () => {
  const resend = ({ id }: Pick<MerchantApplication, 'id'>) => post(ask, '/api/signup/resend', { id })

  it('brings what the first one did, with the same answer for a known and an unknown email', async () => {
    const { main } = await makeMerchant(db())
    const [known, fresh] = [await apply({ email: main.loginName }), await apply()]
    for (const sent of [known, fresh]) {
      expect(await resend(sent)).toMatchObject({ status: 200, body: { data: { sent: true } } })
    }
    await settled()
    expect(await kindsTo(known.email)).toEqual(['account_exists', 'account_exists'])
    expect(await kindsTo(fresh.email)).toEqual(['activation', 'activation'])
  })

  it('is sent once in half an hour, and the refusal says when it may be again', async () => {
    const sent = await apply()
    const replies = await Promise.all([resend(sent), resend(sent)])
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 429])
    server.clock.advance({ minutes: 10 })
    const early = await resend(sent)
    expect(early).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(early.headers.get('retry-after')).toBe(String(20 * 60))
    server.clock.advance({ minutes: 20 })
    expect(await resend(sent)).toMatchObject({ status: 200 })
    await settled()
    expect(await kindsTo(sent.email)).toEqual(['activation', 'activation', 'activation'])
    expect(await resend({ id: randomUUID() })).toMatchObject({ status: 404 })
  })
})

const fieldsOf = ({ body }: Reply) => (body as { data: { fields: { path: string; message: string }[] } }).data.fields

describe('SGN-03: the rules at the server', () => {
  const refused = async (given: object) => {
    const reply = await send({ ...(await makeApplication(server.deps)), ...given })
    expect(reply).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    return fieldsOf(reply)
  }

  it('answers with the words of the spec, and names the field', async () => {
    const brand = await makeBrand(server.deps)
    const terms = 'You must accept the Terms and Conditions'
    expect(await refused({ terms_accepted: false })).toMatchObject([
      { path: 'application.terms_accepted', message: terms },
    ])
    expect(await refused({ brands: [] })).toMatchObject([
      { path: 'application.brands', message: 'You must add a Participating Merchant Brand to submit.' },
    ])
    expect(await refused({ brands: [{ ...brand, terminal_types: [] }] })).toMatchObject([
      { path: 'application.brands.0.terminal_types', message: 'is required' },
    ])
  })

  it('refuses two brands with one contact email, also in another case, also twenty at once', async () => {
    const brands = [
      await makeBrand(server.deps, { contact_email: 'one@kopi.example' }),
      await makeBrand(server.deps, { contact_email: 'ONE@kopi.example' }),
    ]
    const sent = await makeApplication(server.deps, { brands })
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(sent)))
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
      expect(fieldsOf(reply)).toMatchObject([
        { path: 'application.brands.1.contact_email', message: 'must be unique per brand' },
      ])
    }
    expect(await db().$count(application, eq(application.id, sent.id))).toBe(0)
  })
})

describe('SGN-05: a flood', () => {
  it('of ten in an hour from one address is enough; another address is not held back', async () => {
    const from = '10.7.7.7'
    const brand = await makeBrand(server.deps)
    const brands: Brand[] = [brand]
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await send(await makeApplication(server.deps), { from })).toMatchObject(ACCEPTED)
    }
    // Refused applications count too, because the server has checked them.
    for (let sent = 0; sent < 5; sent += 1) {
      const reply = await send(await makeApplication(server.deps, { brands }), { from, proof: 'x'.repeat(43) })
      expect(reply).toMatchObject({ status: 400, error: 'CAPTCHA_INVALID' })
    }
    const late = await makeApplication(server.deps, { brands })
    const refused = await send(late, { from })
    expect(refused).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(await send(late)).toMatchObject(ACCEPTED)
    await settled()
  })

  it('of brands, outlets or bytes is refused before anything is looked up', async () => {
    const brand = await makeBrand(server.deps)
    const many = (amount: number) =>
      Array.from({ length: amount }, (_, index) => ({ ...brand, contact_email: `b${index}@kopi.example` }))
    const asked = async (brands: unknown[]) => send(await makeApplication(server.deps, { brands: brands as Brand[] }))
    expect(await asked(many(LIMITS.brands + 1))).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    const outlets = Array.from({ length: LIMITS.outlets + 1 }, (_, index) => `Outlet ${index}`)
    const listed = { ...brand, outlet_type: 'All except listed', non_participating_outlets: outlets }
    expect(await asked([listed])).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    const huge = { ...brand, non_participating_outlets: Array.from({ length: 15_000 }, () => 'x'.repeat(80)) }
    expect(await asked([huge])).toMatchObject({ status: 413, error: 'PAYLOAD_TOO_LARGE' })
  })

  it('takes the largest application that the limits allow', async () => {
    const outlets = Array.from({ length: 20 }, (_, index) => `Outlet ${index}`)
    const brand = await makeBrand(server.deps, { outlet_type: 'All except listed', non_participating_outlets: outlets })
    const brands = Array.from({ length: LIMITS.brands }, (_, index) => ({
      ...brand,
      contact_email: `b${index}@kopi.example`,
    }))
    const sent = await apply({ brands })
    expect(await accountOf(sent)).toBeDefined()
  })
})

it('an account without a password cannot be logged in to', async () => {
  const { email } = await apply()
  const reply = await tryToLogIn(ask, { loginKind: 'merchant', loginName: email }, '')
  expect(reply).toMatchObject({ status: 400, error: 'INVALID_CREDENTIALS' })
  expect(await db().$count(review, eq(review.submittedBy, email))).toBe(0)
})
