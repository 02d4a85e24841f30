import { randomUUID } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { sweepStaleRows } from '../../../server/background/scheduledJobs.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { onboarding, onboardingDraft, review } from '../../../server/db/schema/merchants.ts'
import { appUser, organisation } from '../../../server/db/schema/organisations.ts'
import { sweepUploads } from '../../../server/services/uploads/uploads.ts'
import type { Onboarding, OnboardingRecord } from '../../../src/contract/merchants/onboarding.ts'
import type { OnboardingDraft } from '../../../src/contract/merchants/onboardingDraft.ts'
import type { Review } from '../../../src/contract/merchants/review.ts'
import { organisationProfile } from '../../support/api/forms.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import {
  encryptPassword,
  get,
  post,
  reply,
  send,
  logIn,
  tryToLogIn,
  type Reply,
} from '../../support/api/portalClient.ts'
import { makeMerchant, NEW_PASSWORD, type Merchant } from '../../support/database/builders.ts'
import { makeApplication, makeOnboarding, signupProof } from '../../support/merchants/application.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { makeUpload } from '../../support/uploads/makeUpload.ts'

let merchant: Merchant
let token: string
/** Logs in an activated HRP Merchant. */
beforeEach(async () => {
  merchant = await makeMerchant(db(), 'HRP Merchant', 'Pending Activation')
  ;({ token } = await logIn(ask, merchant.main))
})
const PROVIDER = 'provider@test.example'
const ownerOf = ({ organisation: { id }, main }: Merchant) => ({ organisationId: id, userId: main.id })
const filledIn = (given: Partial<Onboarding> = {}) => makeOnboarding(server.deps, ownerOf(merchant), given)
const submit = (sent: unknown, as = token) => post<{ status: string }>(ask, '/api/merchant/onboarding', sent, as)
const read = (id = merchant.organisation.id, as = token) =>
  get<OnboardingRecord>(ask, `/api/merchant/onboarding/get/${id}`, as)
const SUBMITTED = { status: 200, data: { status: 'Pending Authorisation' } }

const tokenOf = (text: string | null | undefined) => /#token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
/** Returns the token in the newest review mail. */
const reviewToken = async () => tokenOf((await mailsTo(db(), PROVIDER)).at(-1)?.text)
const open = (reviewToken: string) => post<Review>(ask, '/api/review/get', { token: reviewToken })
const decide = (reviewToken: string, decision: 'approve' | 'reject', reason?: string) =>
  post<{ status: string; decided: { decision: string; reason: string | null; at: string } }>(
    ask,
    '/api/review/decide',
    { token: reviewToken, decision, ...(decision === 'reject' ? { reason: reason ?? 'The UEN is another one.' } : {}) },
  )

async function submitted(given: Partial<Onboarding> = {}): Promise<{ sent: Onboarding; link: string }> {
  const sent = await filledIn(given)
  expect(await submit(sent)).toMatchObject(SUBMITTED)
  return { sent, link: await reviewToken() }
}

const statusNow = async () => {
  const [of] = await db().select().from(organisation).where(eq(organisation.id, merchant.organisation.id))
  return of?.status
}
const statusSeen = async (as = token) =>
  (await get<{ user: { status: string } }>(ask, '/api/account/my_info', as)).data.user.status
const decisionsMailed = async () =>
  (await mailsTo(db(), merchant.main.loginName)).filter(({ kind }) => kind.startsWith('authoris'))
const fieldsOf = ({ body }: Reply) => (body as { data: { fields: { path: string; message: string }[] } }).data.fields
const deeds = () =>
  db()
    .select()
    .from(activity)
    .where(and(eq(activity.organisationId, merchant.organisation.id), eq(activity.subjectType, 'organisation')))
    .orderBy(activity.id)

describe('the onboarding', () => {
  it('is read before and after it was submitted', async () => {
    expect((await read()).data).toEqual({
      organisation_guid: merchant.organisation.id,
      status: 'Pending Activation',
      onboarding: null,
      organisation_name: merchant.organisation.name,
      submitted_at: null,
      rejected_reason: null,
      merchant_agreement: null,
    })
    const { sent } = await submitted()
    expect((await read()).data).toMatchObject({
      status: 'Pending Authorisation',
      onboarding: sent,
      submitted_at: server.clock.now().toISOString(),
      merchant_agreement: { filename: 'agreement.pdf', pages: 1 },
    })
    expect(await statusSeen()).toBe('Pending Authorisation')
  })

  it('needs an agreement that is a PDF, its own, and categories of the list', async () => {
    const notPdf = await makeUpload(server.deps, ownerOf(merchant), 'merchant_agreement', Buffer.from('hello'))
    const refused = await submit(await filledIn({ merchant_agreement: notPdf }))
    expect(refused).toMatchObject({ status: 422, error: 'INVALID_PDF' })
    expect(fieldsOf(refused)).toMatchObject([{ path: 'merchant_agreement' }])

    const other = await makeMerchant(db())
    const foreign = await makeUpload(server.deps, ownerOf(other), 'merchant_agreement')
    expect(await submit(await filledIn({ merchant_agreement: foreign }))).toMatchObject({ error: 'UPLOAD_UNKNOWN' })

    const unknown = await submit(await filledIn({ categories: [randomUUID()] }))
    expect(unknown).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    expect(fieldsOf(unknown)).toMatchObject([{ path: 'categories' }])
    expect(await statusNow()).toBe('Pending Activation')
  })

  it('tells nobody but the provider that another merchant has the same UEN', async () => {
    const first = await submitted({ uen: '199912345R' })
    expect((await open(first.link)).data.same_uen).toEqual([])
    const one = merchant
    merchant = await makeMerchant(db(), 'HRP Merchant', 'Pending Activation')
    ;({ token } = await logIn(ask, merchant.main))
    const second = await submitted({ uen: '199912345r' })
    expect((await open(second.link)).data.same_uen).toEqual([
      { merchant_id: one.organisation.merchantId, organisation_name: one.organisation.name },
    ])
  })
})

describe('the draft of an onboarding', () => {
  const DRAFT = '/api/merchant/onboarding/draft'
  const readDraft = async (as = token) => (await get<OnboardingDraft | null>(ask, DRAFT, as)).data
  const saveDraft = async (revision: number | null, values: unknown) =>
    reply<OnboardingDraft | null>(await send(ask, 'PUT', DRAFT, { body: { revision, values }, token }))
  const saved = async (revision: number | null, values: unknown) => (await saveDraft(revision, values)).data!.revision

  it('is read by another login of the account, as it was typed, and by no other organisation', async () => {
    expect(await readDraft()).toBeNull()
    const typed = {
      uen: '2018',
      'operating_hours.Monday.opens': '9',
      same_contact: false,
      categories: ['a'],
      merchant_agreement: null,
    }
    const revision = await saved(null, typed)
    const laptop = (await logIn(ask, merchant.main)).token
    expect(await readDraft(laptop)).toEqual({ revision, saved_at: server.clock.now().toISOString(), values: typed })

    const other = await makeMerchant(db(), 'HRP Merchant', 'Pending Activation')
    expect(await readDraft((await logIn(ask, other.main)).token)).toBeNull()
    const { db: theirs } = server.database.forTenant(other.organisation.id)
    expect(await theirs.select().from(onboardingDraft)).toEqual([])
  })

  it('is unreadable in the database', async () => {
    await saved(null, { 'bank_account.account_number': '0012345678' })
    const [row] = await db()
      .select()
      .from(onboardingDraft)
      .where(eq(onboardingDraft.organisationId, merchant.organisation.id))
    expect(JSON.stringify(row)).not.toContain('0012345678')
  })

  it('of a second device replaces none that it has not seen, also when both save at once', async () => {
    const first = await saved(null, { uen: '1' })
    const replies = await Promise.all(['2', '3', '4'].map((uen) => saveDraft(first, { uen })))
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
    const kept = await readDraft()
    for (const refused of replies.filter(({ status }) => status === 409)) {
      expect(refused).toMatchObject({ error: 'STALE_REVISION', body: { data: { current: kept } } })
    }
    // A draft begun anew never has the revision of one that was removed.
    expect(await saveDraft(kept!.revision, null)).toMatchObject({ status: 200, data: null })
    expect(await saved(null, { uen: '5' })).toBeGreaterThan(kept!.revision)
    expect(await saveDraft(kept!.revision, { uen: '6' })).toMatchObject({ status: 409, error: 'STALE_REVISION' })
    expect((await readDraft())?.values).toEqual({ uen: '5' })
  })

  it('has a size limit', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, '']))
    for (const values of [many, { uen: 'x'.repeat(1_001) }, { uen: 7 }]) {
      expect(await saveDraft(null, values)).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    }
    const full = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'x'.repeat(1_000)]))
    expect(await saveDraft(null, full)).toMatchObject({ status: 413, error: 'PAYLOAD_TOO_LARGE' })
    expect(await readDraft()).toBeNull()
  })

  it('ends with the submission, and none is stored after it until a rejection', async () => {
    const revision = await saved(null, { uen: '2018' })
    const { link } = await submitted()
    expect(await readDraft()).toBeNull()
    expect(await saveDraft(revision, { uen: '2019' })).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect(await db().$count(onboardingDraft, eq(onboardingDraft.organisationId, merchant.organisation.id))).toBe(0)
    await decide(link, 'reject')
    expect(await saveDraft(null, { uen: '2020' })).toMatchObject({ status: 200 })
  })

  it('keeps its uploaded agreement, until it was not changed for 90 days', async () => {
    const key = await makeUpload(server.deps, ownerOf(merchant), 'merchant_agreement')
    const unused = await makeUpload(server.deps, ownerOf(merchant), 'merchant_agreement')
    await saved(null, { merchant_agreement: { key, filename: 'agreement.pdf', size: 9 } })
    server.clock.advance({ hours: 3 })
    await sweepUploads(server.deps)
    ;({ token } = await logIn(ask, merchant.main))
    expect(await submit(await filledIn({ merchant_agreement: unused }))).toMatchObject({ error: 'UPLOAD_UNKNOWN' })
    expect((await readDraft())?.values).toMatchObject({ merchant_agreement: { key } })

    server.clock.advance({ days: 90 })
    await sweepStaleRows(server.deps)
    await sweepUploads(server.deps)
    ;({ token } = await logIn(ask, merchant.main))
    expect(await readDraft()).toBeNull()
    expect(await submit(await filledIn({ merchant_agreement: key }))).toMatchObject({ error: 'UPLOAD_UNKNOWN' })
  })

  it('gives its agreement to a submission of a later day', async () => {
    const key = await makeUpload(server.deps, ownerOf(merchant), 'merchant_agreement')
    await saved(null, { merchant_agreement: { key, filename: 'agreement.pdf', size: 9 } })
    server.clock.advance({ days: 1 })
    await sweepUploads(server.deps)
    ;({ token } = await logIn(ask, merchant.main))
    expect(await submit(await filledIn({ merchant_agreement: key }))).toMatchObject(SUBMITTED)
  })
})

it('a submission is confirmed by one mail, also when it was sent twice', async () => {
  const { sent } = await submitted()
  await submit(sent)
  const mails = (await mailsTo(db(), merchant.main.loginName)).filter(({ kind }) => kind === 'onboarding_received')
  expect(mails).toHaveLength(1)
  for (const words of [sent.organisation_name, 'The provider will review it', merchant.main.loginName, '/help']) {
    expect(mails[0]!.text).toContain(words)
  }
})

describe('SGN-04: the states of an onboarding', () => {
  it('an Active merchant has none to submit', async () => {
    const active = await makeMerchant(db())
    const as = (await logIn(ask, active.main)).token
    const sent = await makeOnboarding(server.deps, ownerOf(active))
    expect(await submit(sent, as)).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect(await db().$count(onboarding, eq(onboarding.organisationId, active.organisation.id))).toBe(0)
  })

  it('another one at the same time, or while one waits, is refused: one row, one review', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, (_, index) => filledIn({ pos_terminals: index + 1 })))
    const replies = await Promise.all(all.map((sent) => submit(sent)))
    const outcomes = replies.map(({ status, error = 'none' }) => `${status} ${error}`).toSorted()
    expect(outcomes).toEqual(['200 none', '409 INVALID_STATE', '409 INVALID_STATE', '409 INVALID_STATE'])
    expect(await submit(await filledIn())).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect(await db().$count(onboarding, eq(onboarding.organisationId, merchant.organisation.id))).toBe(1)
    expect(await db().$count(review, eq(review.organisationId, merchant.organisation.id))).toBe(1)
    expect(await deeds()).toMatchObject([{ action: 'onboarding.submitted', actor: merchant.main.loginName }])
  })

  it('the same one again, as after a lost answer, gives the same answer, also four at once', async () => {
    const sent = await filledIn()
    const replies = await Promise.all(Array.from({ length: 4 }, () => submit(sent)))
    for (const reply of [...replies, await submit(sent)]) expect(reply).toMatchObject(SUBMITTED)
    expect(await db().$count(review, eq(review.organisationId, merchant.organisation.id))).toBe(1)
  })

  it('behind the gate nothing else opens, before, during and after a rejection', async () => {
    const elsewhere = () => post(ask, '/api/voucher/datatable', { start: 0, limit: 10 }, token)
    expect(await elsewhere()).toMatchObject({ status: 403, error: 'ACCOUNT_GATED' })
    const { link } = await submitted()
    expect(await elsewhere()).toMatchObject({ status: 403, error: 'ACCOUNT_GATED' })
    await decide(link, 'reject')
    expect(await elsewhere()).toMatchObject({ status: 403, error: 'ACCOUNT_GATED' })
    expect(await statusSeen()).toBe('Authorisation Rejected')
  })
})

describe('the review', () => {
  it('shows everything submitted, with its documents, to whoever has the link', async () => {
    const { sent, link } = await submitted()
    const { data } = await open(link)
    expect(data).toMatchObject({
      subject: 'onboarding',
      merchant_id: merchant.organisation.merchantId,
      status: 'Pending Authorisation',
      submitted_by: merchant.main.loginName,
      onboarding: sent,
      category_names: ['Bakery and confectionery'],
      documents: [{ title: 'Merchant agreement', description: expect.stringMatching(/^PDF, \d KB, 1 page$/) }],
      earlier_decisions: [],
      decided: null,
    })
    const { pathname, search } = new URL(data.documents[0]!.url)
    const file = await ask(pathname + search)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(file.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('approves: what was submitted is the profile of the merchant', async () => {
    const { sent, link } = await submitted()
    await decide(link, 'approve')
    const { data } = await get(ask, `/api/merchant/get/${merchant.main.id}`, token)
    expect(data).toMatchObject({
      company_name: sent.organisation_name,
      registration_number: sent.uen,
      contact_name: sent.primary_contact.name,
      contact_email: sent.primary_contact.email,
    })
  })

  it('approves: the merchant is Active in the session it has, and hears of it', async () => {
    const { link } = await submitted()
    const { data } = await decide(link, 'approve')
    expect(data).toEqual({
      status: 'Active',
      decided: { decision: 'approve', reason: null, at: server.clock.now().toISOString() },
    })
    expect(await statusSeen()).toBe('Active')
    expect((await post(ask, '/api/voucher/datatable', { start: 0, limit: 10 }, token)).status).toBe(200)
    const mails = await mailsTo(db(), merchant.main.loginName)
    expect(mails.map(({ kind }) => kind)).toEqual(['onboarding_received', 'authorised'])
    expect((await deeds()).at(-1)).toMatchObject({
      actor: 'Provider',
      via: 'review link',
      action: 'review.approved',
      subjectName: merchant.organisation.name,
    })
    expect((await open(link)).data).toMatchObject({ status: 'Active', decided: { decision: 'approve' } })
  })

  it('rejects with a reason, which the merchant reads; it submits again with the same agreement', async () => {
    const { sent, link } = await submitted()
    const reason = 'The bank account is not the company’s.\nPlease correct it.'
    expect(await decide(link, 'reject', reason)).toMatchObject({ data: { status: 'Authorisation Rejected' } })
    expect((await read()).data).toMatchObject({ status: 'Authorisation Rejected', rejected_reason: reason })
    expect((await mailsTo(db(), merchant.main.loginName)).at(-1)?.text).toContain(reason)

    server.clock.advance({ minutes: 1 })
    expect(await submit({ ...sent, pos_terminals: 3 })).toMatchObject(SUBMITTED)
    expect((await read()).data).toMatchObject({ rejected_reason: null, onboarding: { pos_terminals: 3 } })
    const second = await reviewToken()
    expect((await open(second)).data).toMatchObject({
      decided: null,
      earlier_decisions: [{ decision: 'reject', reason }],
      documents: [{ title: 'Merchant agreement' }],
    })
    // An onboarding that was decided before cannot be decided again.
    expect(await open(link)).toMatchObject({ status: 409, error: 'REVIEW_SUPERSEDED' })
    expect(await decide(link, 'approve')).toMatchObject({ status: 409, error: 'REVIEW_SUPERSEDED' })
    expect(await decide(second, 'approve')).toMatchObject({ data: { status: 'Active' } })
  })

  it('gives the same decision again the same answer, and refuses the other one', async () => {
    const { link } = await submitted()
    const first = await decide(link, 'reject', 'Because.')
    server.clock.advance({ minutes: 5 })
    expect((await decide(link, 'reject', 'Another reason.')).data).toEqual(first.data)
    expect(await decide(link, 'approve')).toMatchObject({ status: 409, error: 'REVIEW_DECIDED' })
    expect(await statusNow()).toBe('Authorisation Rejected')
    expect(await decisionsMailed()).toHaveLength(1)
  })

  it('of two reviewers at once, ten clicks each, comes to one decision', async () => {
    const { link } = await submitted()
    const clicks = Array.from({ length: 20 }, (_, click) =>
      click % 2 === 0 ? ('approve' as const) : ('reject' as const),
    )
    const replies = await Promise.all(clicks.map((decision) => decide(link, decision)))
    const decided = (await statusNow()) === 'Active' ? 'approve' : 'reject'
    const outcomes = replies.map(({ data, error }) => error ?? data.decided.decision)
    expect(outcomes).toEqual(clicks.map((click) => (click === decided ? decided : 'REVIEW_DECIDED')))
    expect((await deeds()).filter(({ action }) => action.startsWith('review.'))).toHaveLength(1)
    expect(await decisionsMailed()).toHaveLength(1)
  })

  it('is closed to a link that has expired, and to one that is none of ours', async () => {
    const { link } = await submitted()
    server.clock.advance({ days: 7 })
    for (const dead of [link, 'x'.repeat(43)]) {
      expect(await open(dead)).toMatchObject({ status: 400, error: 'LINK_INVALID' })
      expect(await decide(dead, 'approve')).toMatchObject({ status: 400, error: 'LINK_INVALID' })
    }
    expect(await statusNow()).toBe('Pending Authorisation')
    expect(await decide('short', 'approve')).toMatchObject({ status: 422 })
    expect(await post(ask, '/api/review/decide', { token: link, decision: 'reject' })).toMatchObject({ status: 422 })
  })

  it('keeps a merchant deactivated in the meantime as it is', async () => {
    const { link } = await submitted()
    await db().update(organisation).set({ status: 'Inactive' }).where(eq(organisation.id, merchant.organisation.id))
    expect(await decide(link, 'approve')).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect(await statusNow()).toBe('Inactive')
  })
})

describe('ACL-09: a merchant cannot authorise itself', () => {
  it('by the body, by the address of its profile, or by deciding without the link', async () => {
    const withStatus = await submit({ ...(await filledIn()), status: 'Active' })
    expect(withStatus).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    const own = `/merchant/main/${merchant.main.id}`
    const body = organisationProfile(0, { status: 'Active' })
    const put = await reply(await send(ask, 'PUT', `/api${own}`, { token, body }))
    expect(put).toMatchObject({ status: 403, error: 'ACCOUNT_GATED' })
    const verdict = { token: 'x'.repeat(43), decision: 'approve' }
    expect(await post(ask, '/api/review/decide', verdict, token)).toMatchObject({ error: 'LINK_INVALID' })
    expect(await statusNow()).toBe('Pending Activation')
  })

  it('not even by guessing from what it can read', async () => {
    const { link } = await submitted()
    expect(JSON.stringify((await read()).body)).not.toContain(link)
    const [row] = await db().select().from(review).where(eq(review.organisationId, merchant.organisation.id))
    expect(await decide(row!.tokenHash.slice(0, 43), 'approve')).toMatchObject({ error: 'LINK_INVALID' })
  })
})

describe('the application of an event stall', () => {
  async function applied(email = `stall-${randomUUID()}@test.example`) {
    const application = await makeApplication(server.deps, { role: 'adhoc', email })
    const body = { application, captcha_proof: await signupProof(server.deps) }
    expect((await post(ask, '/api/signup', body)).status).toBe(200)
    await server.deps.background.settled()
    const [user] = await db().select().from(appUser).where(eq(appUser.loginName, email)).orderBy(desc(appUser.id))
    return { application, user: user!, link: await reviewToken() }
  }

  it('is approved: the link to activate comes with it, and the first login is to an Active account', async () => {
    const { application, user, link } = await applied()
    const { data } = await open(link)
    expect(data).toMatchObject({ subject: 'application', status: 'Pending', application, onboarding: null })
    expect(data.documents).toMatchObject([{ title: 'Logo of Kopi & Grain', description: 'PNG, 160 × 107 px' }])
    expect(await decide(link, 'approve')).toMatchObject({ data: { status: 'Active' } })
    const mails = await mailsTo(db(), user.loginName)
    expect(mails.map(({ kind }) => kind)).toEqual(['application_received', 'activation'])
    const activated = await post<{ access_token: string }>(ask, '/api/auth/set_new_password', {
      token: tokenOf(mails[1]?.text),
      encrypted_new_password: await encryptPassword(ask, NEW_PASSWORD),
    })
    expect(await statusSeen(activated.data.access_token)).toBe('Active')
    expect((await tryToLogIn(ask, user, NEW_PASSWORD)).status).toBe(200)
  })

  it('is rejected with a reason, and may be made again with the same email', async () => {
    const first = await applied()
    expect(await decide(first.link, 'reject', 'No such event.')).toMatchObject({
      data: { status: 'Authorisation Rejected' },
    })
    expect((await mailsTo(db(), first.user.loginName)).at(-1)?.text).toContain('No such event.')
    server.clock.advance({ minutes: 1 })
    const again = await applied(first.user.loginName)
    expect(again.user.id).toBe(first.user.id)
    expect((await open(again.link)).data).toMatchObject({
      decided: null,
      earlier_decisions: [{ decision: 'reject', reason: 'No such event.' }],
    })
    expect(await decide(again.link, 'approve')).toMatchObject({ data: { status: 'Active' } })
  })
})
