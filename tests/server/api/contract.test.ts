import { randomUUID } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { TOTP } from 'otpauth'
import * as v from 'valibot'
import { describe, expect } from 'vitest'
import { insertApplication } from '../../../server/db/merchants/applications.ts'
import {
  knownDevice,
  mfa,
  mfaSetup,
  passwordLink,
  recoveryCode,
  session,
  loginChallenge,
} from '../../../server/db/schema/accounts.ts'
import { appUser, branch as branchTable } from '../../../server/db/schema/organisations.ts'
import { hold } from '../../../server/db/schema/redemptions.ts'
import { pathOf } from '../../../server/http/mount.ts'
import { changeEmailByProvider } from '../../../server/services/accounts/loginEmail.ts'
import type { Endpoint, FileOf } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints.ts'
import { ERROR_STATUS, Failure, success } from '../../../src/contract/envelope.ts'
import { SUGGESTED_RULES } from '../../../src/contract/redemptions/allowance.ts'
import { captchaProof, solvedWork } from '../../support/accounts/captchaClient.ts'
import { enrolMfa, type Enrolled } from '../../support/accounts/enrolMfa.ts'
import { callerFor } from '../../support/api/accessMatrix.ts'
import { makeActors, type Actors, type Signed } from '../../support/api/actors.ts'
import { endpointSamples, type EndpointSample } from '../../support/api/endpointSamples.ts'
import { branchRecord, DAYS, importOf, masterForm, posRecord } from '../../support/api/forms.ts'
import { mailedTokens, mailsTo } from '../../support/api/mailbox.ts'
import {
  encryptPassword,
  post,
  send,
  logIn,
  tryToLogIn,
  type Answers,
  type Challenged,
} from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makeOrganisation,
  makeRedemption,
  makeUser,
  NEW_PASSWORD,
  PASSWORD,
  type Branch,
  type Merchant,
  type User,
} from '../../support/database/builders.ts'
import { makeApplication, makeOnboarding, signupProof } from '../../support/merchants/application.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let actors: Actors
it.beforeAll(async () => {
  actors = await makeActors(db())
  await makeRedemption(db(), actors.till, '2026-11-20')
})
interface Sample extends EndpointSample {
  /** The caller, who has the password that `makeUser` gives. A call that changes the password needs a user of its own. */
  as?: Signed | (() => Promise<User>) | undefined
  /** The answers to the challenges of the caller's login. */
  answers?: Answers
  query?: string
  headers?: () => Promise<Record<string, string>>
}

async function freshMain(given: Partial<User> = {}): Promise<User> {
  const { db } = server.database
  return makeUser(db, 'HRP Merchant', { organisation: await makeOrganisation(db) }, given)
}
let phone: Enrolled
/** The merchant whose main account has `phone`. */
let shop: Merchant

/** Returns the `session` of the first challenge in this user's login. */
async function challengeOf(user: User): Promise<string> {
  const { data } = await tryToLogIn(ask, user)
  return (data as unknown as Challenged).session
}

async function begunSetup(): Promise<{ setup: string; secret: string }> {
  const { token } = await logIn(ask, await freshMain())
  const body = { encrypted_current_password: await encryptPassword(ask, PASSWORD) }
  return (await post<{ setup: string; secret: string }>(ask, '/api/auth/initiate_mfa_setup', body, token)).data
}
const ownChange = async () => ({
  encrypted_current_password: await encryptPassword(ask, PASSWORD),
  encrypted_new_password: await encryptPassword(ask, NEW_PASSWORD),
})

async function freshToken(): Promise<string> {
  const { loginName } = await freshMain()
  await post(ask, '/api/auth/forgot_password', { email: loginName })
  await server.deps.background.settled()
  return (await mailedTokens(db(), loginName))[0]!
}

let applicant: User
async function freshApplicant(): Promise<User> {
  return (applicant = (await makeMerchant(db(), 'HRP Merchant', 'Pending Activation')).main)
}

/** The token of one review. All calls share it: repeating a decision gives the same answer. */
let review: Promise<string> | undefined
const reviewToken = () => (review ??= submitForReview())

async function submitForReview(): Promise<string> {
  const { token } = await logIn(ask, await freshApplicant())
  const owner = { organisationId: applicant.organisationId, userId: applicant.id }
  await post(ask, '/api/merchant/onboarding', await makeOnboarding(server.deps, owner), token)
  const mails = await mailsTo(db(), server.deps.settings.providerEmail)
  return /#token=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
}

/** A main account of an organisation of its own, which no other test uses. */
let owner: User
const freshOwner = async () => (owner = await freshMain())
let made: User
const ofOwner = async (type: 'Additional Merchant', given: Partial<User> = {}) =>
  (made = await makeUser(db(), type, { organisation: { id: owner.organisationId } }, given))

async function freshBranch(given: Partial<Branch> = {}, login?: 'with login') {
  const { organisation } = actors
  const branch = await makeBranch(db(), organisation, given)
  if (login) await makeUser(db(), 'Branch Merchant', { organisation, branch })
  return { id: branch.id }
}

/** The parts of a valid call that `endpointSamples` does not have, and callers for whom it succeeds. */
const SAMPLES: Partial<Record<EndpointName, Sample>> = {
  'system.health': { query: '?nonce=abc' },
  'auth.login': {
    body: async () => ({
      kind: 'merchant',
      email: actors.users.HRP.loginName,
      encrypted_password: await encryptPassword(ask, PASSWORD),
    }),
  },
  'auth.setNewPassword': {
    body: async () => ({
      session: await challengeOf(await freshMain({ mustChangePassword: true })),
      encrypted_new_password: await encryptPassword(ask, NEW_PASSWORD),
    }),
  },
  'auth.initiateMfaSetup': {
    as: () => freshMain(),
    body: async () => ({ encrypted_current_password: await encryptPassword(ask, PASSWORD) }),
  },
  'auth.verifyAndEnableMfa': {
    body: async () => {
      const { setup, secret } = await begunSetup()
      return { setup, code: new TOTP({ secret }).generate({ timestamp: server.clock.now().getTime() }) }
    },
  },
  'auth.verifyMfa': {
    body: async () => {
      const main = await freshMain()
      const { recoveryCodes } = await enrolMfa(db(), main)
      return { session: await challengeOf(main), code: recoveryCodes[0] }
    },
  },
  'auth.forgotPassword': { body: () => ({ email: actors.users.HRP.loginName }) },
  'auth.confirmForgotPassword': {
    body: async () => ({ token: await freshToken(), encrypted_password: await encryptPassword(ask, NEW_PASSWORD) }),
  },
  'auth.checkLink': { body: async () => ({ kind: 'reset', token: await freshToken() }) },
  'auth.confirmEmail': {
    body: async () => {
      const email = `${randomUUID()}@test.example`
      await changeEmailByProvider(server.deps, (await freshMain()).loginName, email)
      return { token: (await mailedTokens(db(), email, 'email_change'))[0] }
    },
  },
  'account.renewRecoveryCodes': {
    as: async () => {
      const main = await freshMain()
      phone = await enrolMfa(db(), main)
      return main
    },
    answers: { code: () => phone.recoveryCodes[0]! },
    body: async () => ({
      encrypted_current_password: await encryptPassword(ask, PASSWORD),
      code: phone.totp.generate({ timestamp: server.clock.now().getTime() }),
    }),
  },
  'account.changePassword': { as: () => freshMain(), body: ownChange },
  'account.adminChangePassword': {
    body: async () => ({
      user_guid: (await makeUser(db(), 'Additional Merchant', { organisation: actors.organisation })).id,
      encrypted_own_password: await encryptPassword(ask, PASSWORD),
      encrypted_new_password: await encryptPassword(ask, NEW_PASSWORD),
    }),
  },
  'account.adminChangeEmail': {
    body: async () => ({
      user_guid: (await makeUser(db(), 'Additional Merchant', { organisation: actors.organisation })).id,
      email: `${randomUUID()}@test.example`,
      encrypted_own_password: await encryptPassword(ask, PASSWORD),
    }),
  },
  'merchant.changePassword': { as: () => freshMain(), body: ownChange },
  'captcha.verifyV3': { body: async () => ({ token: await solvedWork(ask), action: 'signup' }) },
  'captcha.verifyV2': { body: async () => ({ token: await solvedWork(ask), action: 'signup' }) },
  'upload.presign': {
    body: () => ({ kind: 'profile_logo', content_type: 'image/png', content_length: 1_000, filename: 'logo.png' }),
  },
  'upload.presignPublic': {
    body: async () => ({
      kind: 'brand_logo',
      content_type: 'image/jpeg',
      content_length: 1_000,
      captcha_token: await captchaProof(ask, 'upload'),
    }),
  },
  'signup.apply': {
    body: async () => ({
      application: await makeApplication(server.deps),
      captcha_proof: await signupProof(server.deps),
    }),
  },
  'onboarding.read': {
    as: freshApplicant,
    params: async () => ({ id: applicant.organisationId }),
  },
  'signup.resend': {
    body: async () => {
      const application = await makeApplication(server.deps)
      await insertApplication(db(), application, server.clock.now())
      return { id: application.id }
    },
  },
  'onboarding.readDraft': { as: freshApplicant },
  'onboarding.saveDraft': { as: freshApplicant, body: () => ({ revision: null, values: { uen: '2018' } }) },
  'onboarding.submit': {
    as: freshApplicant,
    body: () => makeOnboarding(server.deps, { organisationId: applicant.organisationId, userId: applicant.id }),
  },
  'review.read': { body: async () => ({ token: await reviewToken() }) },
  'review.decide': { body: async () => ({ token: await reviewToken(), decision: 'approve' }) },
  'voucher.datatable': { body: () => ({ start: 0, limit: 10, search_str: '2' }) },
  'voucher.myDay': { as: 'POS', query: '?day=2026-11-20' },
  'allowance.change': {
    as: async () => {
      shop = await makeMerchant(db())
      phone = await enrolMfa(db(), shop.main)
      return shop.main
    },
    answers: { code: () => phone.recoveryCodes[0]! },
    params: async () => ({ id: shop.branch.id }),
    body: async () => ({
      rules: SUGGESTED_RULES,
      encrypted_own_password: await encryptPassword(ask, PASSWORD),
      code: phone.totp.generate({ timestamp: server.clock.now().getTime() }),
    }),
  },
  'report.transaction': { body: () => ({ from: '2026-11-01', to: '2026-11-21' }) },
  'report.monthly': { body: () => ({ from_month: '2026-01', to_month: '2026-11' }) },
  'report.daily': { body: () => ({ day: '2026-11-20', format: 'xlsx' }) },
  'report.preview': {
    body: async () => {
      await makeRedemption(db(), actors.till, server.clock.now())
      return { report: 'transaction', params: { from: '2026-11-01', to: '2026-11-21' } }
    },
  },
  'masters.get': { params: async () => ({ id: actors.users.Additional.id }) },
  'masters.create': { as: () => freshMain(), body: () => masterForm() },
  'masters.update': {
    as: freshOwner,
    params: async () => ({ id: (await ofOwner('Additional Merchant')).id }),
    body: () => masterForm({ email: made.loginName, revision: 0 }),
  },
  'masters.remove': { as: freshOwner, params: async () => ({ id: (await ofOwner('Additional Merchant')).id }) },
  'masters.deactivate': { as: freshOwner, params: async () => ({ id: (await ofOwner('Additional Merchant')).id }) },
  'masters.reactivate': {
    as: freshOwner,
    params: async () => ({ id: (await ofOwner('Additional Merchant', { status: 'Inactive' })).id }),
  },
  'masters.resetPassword': { as: freshOwner, params: async () => ({ id: (await ofOwner('Additional Merchant')).id }) },
  'branches.resetPassword': { params: () => freshBranch({}, 'with login') },
  'imports.branches': { body: () => importOf(branchRecord(), { ...branchRecord(DAYS), kind: 'adhoc' }) },
  'imports.posUsers': { as: 'Branch', body: () => importOf(posRecord(), posRecord({ branch_code: 'NO-SUCH' })) },
  'posUsers.create': {
    as: 'Branch',
    body: async () => ({
      branch_guid: actors.branch.id,
      username: randomUUID(),
      encrypted_password: await encryptPassword(ask, NEW_PASSWORD),
    }),
  },
  'posUsers.changePassword': {
    body: async () => ({ encrypted_new_password: await encryptPassword(ask, NEW_PASSWORD) }),
  },
  'profile.get': { as: 'Additional', params: async () => ({ id: actors.users.Additional.id }) },
  'resources.datatable': { query: '?start=0&limit=10&search_str=guide&column=title&sort_type=asc' },
}

const sampleOf = (name: EndpointName): Sample => ({
  as: callerFor(name),
  ...(endpointSamples(() => actors) as Partial<Record<EndpointName, EndpointSample>>)[name],
  ...SAMPLES[name],
})

interface Change {
  body?: unknown
  /** Sent as it is, in place of a body. */
  text?: string
  query?: string
  headers?: Record<string, string>
}

const call = async (name: EndpointName, change: Change = {}) => (await caller(name))(change)

/** Sessions of actors, kept until a call ends them. */
const sessions = new Map<Signed, ReturnType<typeof logIn>>()
const ENDS_SESSIONS: readonly EndpointName[] = ['auth.login', 'account.logout', 'account.refresh']

function loggedInAs(as: Signed): ReturnType<typeof logIn> {
  const known = sessions.get(as) ?? logIn(ask, actors.users[as])
  sessions.set(as, known)
  return known
}

/** Logs in once, for any number of calls. */
async function caller(name: EndpointName): Promise<(change?: Change) => Promise<Response>> {
  const endpoint: Endpoint = ENDPOINTS[name]
  const { as, answers, params, query = '', headers: own, body } = sampleOf(name)
  if (ENDS_SESSIONS.includes(name)) sessions.clear()
  const user = typeof as === 'string' ? undefined : await as?.()
  const signed = typeof as === 'string' ? await loggedInAs(as) : user && (await logIn(ask, user, answers))
  if (ENDS_SESSIONS.includes(name)) sessions.clear()
  const values = (await params?.()) ?? {}
  const path = pathOf(endpoint).replaceAll(/:(\w+)/g, (_, key: string) => values[key] ?? randomUUID())
  const cookie: Record<string, string> = signed ? { cookie: signed.cookie } : {}
  const token = signed?.token
  const proven = await own?.()
  return async (change = {}) => {
    const address = path + (change.query ?? query)
    const headers = {
      ...cookie,
      ...proven,
      'login-type': 'MERCHANT',
      'idempotency-key': randomUUID(),
      ...change.headers,
    }
    if (change.text !== undefined) {
      const json = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      return ask(address, { method: endpoint.method, headers: { ...headers, ...json }, body: change.text })
    }
    const sent = endpoint.body ? { body: 'body' in change ? change.body : await body?.() } : {}
    return send(ask, endpoint.method, address, { ...sent, token, headers })
  }
}

const names = Object.keys(ENDPOINTS) as EndpointName[]
const withBody = names.filter((name) => 'body' in ENDPOINTS[name])
const files = names.filter((name) => 'file' in ENDPOINTS[name].answer)
/** Endpoints that are closed to merchants: only the provider changes vouchers. */
const closed = names.filter((name) => (ENDPOINTS[name].answer as { type?: string }).type === 'never')
const data = names.filter((name) => !files.includes(name) && !closed.includes(name))

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
}

interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
}

const readDocument = async (base: string) => (await (await ask(`/${base}/openapi.json`)).json()) as Document

/** Formats are told to generators; the patterns beside them are checked here. */
async function makeValidator() {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const base of ['api', 'reporting']) ajv.addSchema(await readDocument(base), base)
  return (name: EndpointName, place: string, value: unknown) => {
    const { base, path, method }: Endpoint = ENDPOINTS[name]
    const pointer = path.replaceAll(/:(\w+)/g, '{$1}').replaceAll('/', '~1')
    const schema = `${base}#/paths/${encodeURI(pointer)}/${method.toLowerCase()}/${place}/content/application~1json/schema`
    ajv.validate({ $ref: schema }, value)
    return ajv.errors
  }
}
let validating: ReturnType<typeof makeValidator> | undefined
const validator = () => (validating ??= makeValidator())

it.each(data)('AUT-30: %s answers by its schema and its document, and nothing else travels', async (name) => {
  const response = await call(name)
  const { answer, tagged }: Endpoint = ENDPOINTS[name]
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe(tagged ? 'no-cache' : 'no-store')
  const text = await response.text()
  for (const secret of await secrets()) expect(text).not.toContain(secret)
  const body: unknown = JSON.parse(text)
  // Parsing drops what the schema does not name, so a leaked column shows as a difference (AUT-30).
  expect(v.parse(success(answer as v.GenericSchema), body)).toEqual(body)
  const faultsOf = await validator()
  expect(faultsOf(name, 'responses/200', body)).toBeNull()
})

it.each(closed)('%s is open to nobody', async (name) => {
  const response = await call(name)
  expect([response.status, (await response.json()).error]).toEqual([403, 'FORBIDDEN'])
})

it.each(files)('AUT-30: %s answers with a named file, whole, and without a secret', async (name) => {
  const response = await call(name)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="/)
  const types = (ENDPOINTS[name].answer as FileOf).file
  const [type] = response.headers.get('content-type')!.split(';')
  expect(types.some((one) => one === '*/*' || one === type)).toBe(true)
  const text = await response.text()
  expect(text.length).toBeGreaterThan(0)
  for (const secret of await secrets()) expect(text).not.toContain(secret)
})

/** Returns every secret of the database that no answer may contain: hashes, sealed secrets and the ids of tokens. */
async function secrets(): Promise<string[]> {
  const { db } = server.database
  const kept = await Promise.all([
    db.select({ hash: appUser.passwordHash }).from(appUser),
    db.select({ jti: session.jti, previous: session.previousJti, hash: session.bindingHash }).from(session),
    db.select({ hash: passwordLink.tokenHash }).from(passwordLink),
    db.select({ hash: loginChallenge.tokenHash }).from(loginChallenge),
    db.select({ sealed: mfa.sealedSecret }).from(mfa),
    db.select({ hash: mfaSetup.tokenHash, sealed: mfaSetup.sealedSecret }).from(mfaSetup),
    db.select({ hash: recoveryCode.codeHash }).from(recoveryCode),
    db.select({ hash: knownDevice.tokenHash }).from(knownDevice),
    db.select({ hash: branchTable.pinHash }).from(branchTable),
    db.select({ hash: hold.secretHash }).from(hold),
  ])
  return kept.flat().flatMap((row) => Object.values(row).filter((value) => value !== null))
}

/** Columns that a body might try to set (ACL-10). */
const ROW_FIELDS = {
  merchant_guid: randomUUID(),
  status: 'Active',
  pin_hash: 'x',
  created_at: '2026-01-01T00:00:00Z',
  role: 'admin',
  user_type: 'HRP Merchant',
  permissions: {},
  id: randomUUID(),
}

describe.each(withBody)('%s', (name) => {
  const sample = async () => (await sampleOf(name).body?.()) as Record<string, unknown>
  const refusal = async (response: Response) => `${response.status} ${v.parse(Failure, await response.json()).error}`

  it('ACL-10: takes no field that it does not name', async () => {
    const callIt = await caller(name)
    const named = await sample()
    for (const [field, value] of Object.entries(ROW_FIELDS)) {
      if (field in named) continue
      const body = { ...named, [field]: value }
      expect([field, await refusal(await callIt({ body }))]).toEqual([field, '422 VALIDATION_FAILED'])
    }
  })

  it('ACL-12: takes no list for a text, and no field twice', async () => {
    const callIt = await caller(name)
    const body = await sample()
    for (const [field, value] of Object.entries(body)) {
      if (typeof value !== 'string') continue
      const list = { ...body, [field]: [value] }
      expect([field, await refusal(await callIt({ body: list }))]).toEqual([field, '422 VALIDATION_FAILED'])
      const { [field]: _, ...rest } = body
      const bracketed = { ...rest, [`${field}[]`]: value }
      expect([field, await refusal(await callIt({ body: bracketed }))]).toEqual([field, '422 VALIDATION_FAILED'])
    }
    for (const field of Object.keys(body)) {
      const text = JSON.stringify(body).replace('{', `{${JSON.stringify(field)}:${JSON.stringify(body[field])},`)
      expect([field, await refusal(await callIt({ text }))]).toEqual([field, '400 MALFORMED_JSON'])
    }
  })

  it('refuses what is not a well-formed JSON object of its schema, in the envelope', async () => {
    const bodies: [unknown, string][] = [
      [null, 'VALIDATION_FAILED'],
      [[], 'VALIDATION_FAILED'],
      ['text', 'VALIDATION_FAILED'],
      // `{}` is valid where every field of the body is optional.
      ...(v.is((ENDPOINTS[name] as Endpoint).body!, {}) ? [] : ([[{}, 'VALIDATION_FAILED']] as [unknown, string][])),
      [{ ...(await (sampleOf(name).body?.() as Promise<object>)), extra_field: 1 }, 'VALIDATION_FAILED'],
    ]
    const callIt = await caller(name)
    for (const [body, code] of bodies) {
      const response = await callIt({ body })
      const failure = v.parse(Failure, await response.json())
      expect(failure.error).toBe(code)
      expect(response.status).toBe(ERROR_STATUS[failure.error as keyof typeof ERROR_STATUS])
      expect(failure.request_id).toBe(response.headers.get('x-request-id'))
      expect(failure.data.fields?.length).toBeGreaterThan(0)
    }
  })
})

it.each(names.filter((name) => !closed.includes(name)))(
  'ACL-12: %s takes no parameter twice, and none that it does not know',
  async (name) => {
    const callIt = await caller(name)
    const body = await sampleOf(name).body?.()
    for (const query of ['?id=1&id=2', '?id=1', '?nonce=a&nonce=b']) {
      const failure = v.parse(Failure, await (await callIt({ query, body })).json())
      expect([query, failure.error]).toEqual([query, 'VALIDATION_FAILED'])
    }
  },
)

describe('the OpenAPI documents', () => {
  it('describe exactly the endpoints of the table, each with a tag and in words', async () => {
    const found: string[] = []
    for (const base of ['api', 'reporting']) {
      const document = await readDocument(base)
      expect(document.openapi).toBe('3.1.0')
      for (const operations of Object.values(document.paths)) {
        for (const { operationId, tags, summary, description } of Object.values(operations)) {
          found.push(operationId)
          expect([operationId, tags.length, summary !== '', description !== '']).toEqual([operationId, 1, true, true])
        }
      }
    }
    expect(found.toSorted()).toEqual(names.toSorted())
  })

  it('take every valid body, and refuse days, numbers and codes that the server refuses', async () => {
    const faultsOf = await validator()
    for (const name of withBody) {
      const body = await sampleOf(name).body?.()
      expect([name, body && faultsOf(name, 'requestBody', body)]).toEqual([name, body && null])
    }
    const range = { from: '2026-11-01', to: 'yesterday' }
    expect(faultsOf('report.transaction', 'requestBody', range)).not.toBeNull()
    const login = { kind: 'merchant', email: 'main@demo.example', encrypted_password: 'Demo-Portal-2026!' }
    expect(faultsOf('auth.login', 'requestBody', login)).not.toBeNull()
  })

  it('name each code with its status, and what a client needs for login, refresh and files', async () => {
    const faultsOf = await validator()
    const refused = { message: '', data: {}, request_id: '' }
    const codes = (name: EndpointName, status: number, error: string) =>
      faultsOf(name, `responses/${status}`, { ...refused, error })
    expect(codes('auth.login', 400, 'INVALID_CREDENTIALS')).toBeNull()
    expect(codes('auth.login', 400, 'VOUCHER_BUSY')).not.toBeNull()
    const { paths } = await readDocument('api')
    expect(paths['/account/refresh']!['get']).toMatchObject({ security: [{ session: [], binding: [] }] })
    expect(paths['/signup/terms_and_condition/pdf']!['get']).toMatchObject({
      responses: { 200: { content: { 'application/pdf': { schema: { format: 'binary' } } } } },
    })
  })
})
