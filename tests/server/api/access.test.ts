import { randomUUID } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import { beforeAll, describe, expect } from 'vitest'
import {
  appUser,
  branch as branchTable,
  organisation as organisationTable,
} from '../../../server/db/schema/organisations.ts'
import { pathOf } from '../../../server/http/mount.ts'
import { hashToken, newToken } from '../../../server/services/opaqueToken.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints.ts'
import { SUGGESTED_RULES } from '../../../src/contract/redemptions/allowance.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import type { VoucherRow } from '../../../src/contract/vouchers.ts'
import { EXPECTED, WHO, type Who } from '../../support/api/accessMatrix.ts'
import { GATED, makeActors, type Actors, type Gated, type Signed } from '../../support/api/actors.ts'
import { endpointSamples, type EndpointSample } from '../../support/api/endpointSamples.ts'
import { branchRecord, importOf, masterForm, posRecord } from '../../support/api/forms.ts'
import { get, logIn, post, reply, send, type Signed as AsSigned } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeTill,
  makeUser,
  makeVoucher,
  type Branch,
  type User,
} from '../../support/database/builders.ts'
import { makeApplication, makeOnboarding } from '../../support/merchants/application.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let actors: Actors
it.beforeAll(async () => {
  actors = await makeActors(db())
})
/** An unreadable password. It is refused like a wrong one, which shows that the caller was let in. */
const UNREADABLE = 'a.b.c.d.e'

/** Deactivates the masters of earlier calls: an organisation has five at most. */
async function retireMasters(): Promise<void> {
  const { organisation, users } = actors
  const isMaster = and(eq(appUser.organisationId, organisation.id), eq(appUser.type, 'Additional Merchant'))
  await db()
    .update(appUser)
    .set({ status: 'Inactive' })
    .where(and(isMaster, ne(appUser.id, users.Additional.id)))
}

async function freshMaster(given: Partial<User> = {}) {
  await retireMasters()
  return { id: (await makeUser(db(), 'Additional Merchant', actors, given)).id }
}

/** Makes a branch that the master of the actors manages. */
async function freshBranch(given: Partial<Branch> = {}, login?: 'with login') {
  const { organisation, users } = actors
  const { db } = server.database
  const branch = await makeBranch(db, organisation, { masterUserId: users.Additional.id, ...given })
  if (login) await makeUser(db, 'Branch Merchant', { organisation, branch })
  return { id: branch.id }
}

const SHARED = endpointSamples(() => actors)

type WithParams = { [N in EndpointName]: (typeof ENDPOINTS)[N] extends { params: unknown } ? N : never }[EndpointName]

/** Path parameters for each endpoint that needs them, of this tenant. An endpoint without a row does not compile. */
const PARAMS: Record<Exclude<WithParams, keyof typeof SHARED>, () => Promise<Record<string, string>>> = {
  'onboarding.read': async () => ({ id: actors.organisation.id }),
  'allowance.change': async () => ({ id: actors.branch.id }),
  'masters.get': () => freshMaster({ status: 'Inactive', passwordHash: null, passwordChangedAt: null }),
  'masters.update': () => freshMaster({ status: 'Inactive', passwordHash: null, passwordChangedAt: null }),
  'masters.remove': () => freshMaster({ status: 'Inactive', passwordHash: null, passwordChangedAt: null }),
  'masters.reactivate': () => freshMaster({ status: 'Inactive', passwordHash: null, passwordChangedAt: null }),
  'masters.deactivate': () => freshMaster(),
  'masters.resetPassword': () => freshMaster(),
  'branches.resetPassword': () => freshBranch({}, 'with login'),
  'profile.get': async () => ({ id: actors.users.HRP.id }),
  'voucher.update': async () => ({ id: randomUUID() }),
  'voucher.remove': async () => ({ id: randomUUID() }),
}

/** A well-formed body for each endpoint that takes one, about this tenant where it names anything. */
const BODIES: Partial<Record<EndpointName, () => unknown>> = {
  'auth.login': () => ({ kind: 'merchant', email: `${randomUUID()}@test.example`, encrypted_password: UNREADABLE }),
  'auth.setNewPassword': () => ({ token: 'x'.repeat(43), encrypted_new_password: UNREADABLE }),
  'auth.initiateMfaSetup': () => ({}),
  'auth.verifyAndEnableMfa': () => ({ setup: 'x'.repeat(43), code: '123456' }),
  'auth.verifyMfa': () => ({ session: 'x'.repeat(43), code: '123456' }),
  'auth.forgotPassword': () => ({ email: `${randomUUID()}@test.example` }),
  'auth.confirmForgotPassword': () => ({ token: 'x'.repeat(43), encrypted_password: UNREADABLE }),
  'auth.checkLink': () => ({ kind: 'reset', token: 'x'.repeat(43) }),
  'auth.confirmEmail': () => ({ token: 'x'.repeat(43) }),
  'account.changePassword': () => ({ encrypted_current_password: UNREADABLE, encrypted_new_password: UNREADABLE }),
  'account.renewRecoveryCodes': () => ({ encrypted_current_password: UNREADABLE, code: '123456' }),
  'account.adminChangePassword': () => ({
    user_guid: actors.users.Branch.id,
    encrypted_own_password: UNREADABLE,
    encrypted_new_password: UNREADABLE,
  }),
  'account.adminChangeEmail': () => ({
    user_guid: actors.users.Branch.id,
    email: `${randomUUID()}@test.example`,
    encrypted_own_password: UNREADABLE,
  }),
  'merchant.changePassword': () => ({ encrypted_current_password: UNREADABLE, encrypted_new_password: UNREADABLE }),
  'captcha.verifyV3': () => ({ token: 'unreadable', action: 'signup' }),
  'captcha.verifyV2': () => ({ token: 'unreadable', action: 'signup' }),
  'upload.presign': () => ({ kind: 'brand_logo', content_type: 'image/png', content_length: 1_000 }),
  'upload.presignPublic': () => ({ kind: 'brand_logo', content_type: 'image/png', content_length: 1_000 }),
  'signup.apply': async () => ({
    application: await makeApplication(server.deps),
    captcha_proof: 'x'.repeat(43),
  }),
  'onboarding.submit': () =>
    makeOnboarding(server.deps, { organisationId: actors.organisation.id, userId: actors.users.HRP.id }),
  'signup.resend': () => ({ id: randomUUID() }),
  'onboarding.saveDraft': () => ({ revision: null, values: null }),
  'review.read': () => ({ token: 'x'.repeat(43) }),
  'review.decide': () => ({ token: 'x'.repeat(43), decision: 'approve' }),
  'voucher.datatable': () => ({ start: 0, limit: 10 }),
  'voucher.verify': async () => ({
    serial: (await makeVoucher(db())).serial,
    hold: { id: randomUUID(), secret_hash: hashToken(newToken()), till: (await makeTill(db(), actors.till)).id },
  }),
  'allowance.change': () => ({ rules: SUGGESTED_RULES, encrypted_own_password: UNREADABLE, code: '123456' }),
  'report.transaction': () => ({ from: '2026-11-01', to: '2026-11-21', branch_guid: actors.branch.id }),
  'report.monthly': () => ({ from_month: '2026-01', to_month: '2026-11', branch_guid: actors.branch.id }),
  'report.daily': () => ({ day: '2026-11-21', branch_guid: actors.branch.id }),
  'report.preview': () => ({ report: 'daily', params: { day: '2026-11-21', branch_guid: actors.branch.id } }),
  async 'masters.create'() {
    await retireMasters()
    return masterForm()
  },
  'masters.update': () => masterForm({ revision: 0 }),
  'imports.branches': () => importOf(branchRecord()),
  'imports.posUsers': () => importOf(posRecord()),
  'posUsers.create': () => ({
    branch_guid: actors.branch.id,
    username: randomUUID(),
    encrypted_password: UNREADABLE,
  }),
  'posUsers.changePassword': () => ({ encrypted_new_password: UNREADABLE }),
}

const CODE_OF_400: Partial<Record<EndpointName, string>> = {
  'auth.login': 'INVALID_CREDENTIALS',
  'auth.verifyAndEnableMfa': 'CHALLENGE_EXPIRED',
  'auth.verifyMfa': 'CHALLENGE_EXPIRED',
  'captcha.verifyV3': 'CAPTCHA_INVALID',
  'captcha.verifyV2': 'CAPTCHA_INVALID',
  'signup.apply': 'CAPTCHA_INVALID',
}

/** Query strings of the endpoints that need one. */
const QUERIES: Partial<Record<EndpointName, string>> = { 'voucher.myDay': '?day=2026-11-21' }

interface Asked {
  path: string
  body?: unknown
}

async function askedOf(name: EndpointName): Promise<Asked> {
  const endpoint: Endpoint = ENDPOINTS[name]
  const shared = (SHARED as Partial<Record<EndpointName, EndpointSample>>)[name]
  const params = (await (shared?.params ?? (PARAMS as Partial<typeof PARAMS>)[name as keyof typeof PARAMS])?.()) ?? {}
  const filled = pathOf(endpoint).replaceAll(/:(\w+)/g, (_, key: string) => params[key] ?? `no ${key} in PARAMS`)
  const path = filled + (QUERIES[name] ?? '')
  return endpoint.body ? { path, body: await (BODIES[name] ?? shared?.body)?.() } : { path }
}

/** Sessions are kept: logging in for each of a thousand calls would take most of the time. */
const sessions: Partial<Record<Who, AsSigned>> = {}

async function sendAs(who: Who, name: EndpointName, { path, ...body }: Asked): Promise<Response> {
  const sendBy = (signed?: AsSigned) => {
    const headers = { cookie: signed?.cookie ?? '', 'login-type': 'MERCHANT', 'idempotency-key': randomUUID() }
    return send(ask, ENDPOINTS[name].method, path, { ...body, token: signed?.token, headers })
  }
  if (who === 'anonymous') return sendBy()
  const response = await sendBy((sessions[who] ??= await logIn(ask, actors.users[who])))
  // A logout, or another login of the same user, has ended the session.
  if (response.status !== 401) return response
  return sendBy((sessions[who] = await logIn(ask, actors.users[who])))
}

const isGated = (who: Who): who is Gated => (GATED as readonly Who[]).includes(who)
/** Returns the test case that is about this actor. */
const caseOf = (who: Who) => (isGated(who) ? 'ACL-08' : who === 'POS' ? 'ACL-06' : 'ACL-01')
const names = Object.keys(ENDPOINTS) as EndpointName[]

/** Codes of calls that are let in but refused for their body: it names another tenant's master, or has an unreadable password. */
const CODE_OF_422: Partial<Record<EndpointName, string>> = {
  'onboarding.submit': 'UPLOAD_UNKNOWN',
  'masterBranches.create': 'VALIDATION_FAILED',
  'posUsers.create': 'VALIDATION_FAILED',
  'posUsers.changePassword': 'VALIDATION_FAILED',
}

/** Returns the error code that belongs to an expected refusal. */
function codeFor(name: EndpointName, who: Who): string {
  switch (EXPECTED[name][who]) {
    case 400:
      return CODE_OF_400[name] ?? 'LINK_INVALID'
    case 401:
      return 'TOKEN_MISSING'
    case 409:
      return 'INVALID_STATE'
    case 403:
      if (name.startsWith('onboarding.')) return 'FORBIDDEN'
      if (name === 'auth.initiateMfaSetup') return who === 'POS' ? 'FORBIDDEN' : 'REAUTH_REQUIRED'
      if (name === 'account.renewRecoveryCodes') return 'FORBIDDEN'
      if (name === 'allowance.change' && who === 'HRP') return 'REAUTH_REQUIRED'
      if (name === 'upload.presignPublic') return 'CAPTCHA_REQUIRED'
      return isGated(who) ? 'ACCOUNT_GATED' : 'FORBIDDEN'
    case 422:
      return CODE_OF_422[name] ?? 'WRONG_PASSWORD'
    case 404:
      return 'NOT_FOUND'
    default:
      return 'none'
  }
}

describe.each(names)('%s', (name) => {
  /** A request that was not let in. It changed nothing, so the next actor sends the same one. */
  let unused: Asked | undefined
  it.each(WHO.map((who) => [caseOf(who), who] as const))('%s: for %s', async (_, who) => {
    const asked = unused ?? (await askedOf(name))
    const response = await sendAs(who, name, asked)
    unused = [401, 403, 404].includes(response.status) ? asked : undefined
    const text = await response.text()
    const { error = 'none' } = text.startsWith('{') ? (JSON.parse(text) as { error?: string }) : {}
    expect(`${response.status} ${error}`).toBe(`${EXPECTED[name][who]} ${codeFor(name, who)}`)
  })
})

describe('the matrix', () => {
  const needing = names.flatMap((name) => {
    const { access }: Endpoint = ENDPOINTS[name]
    return typeof access === 'string' ? [] : [{ name, ...access }]
  })

  it('ACL-06: opens to a POS user nothing that needs a permission, but the counter', () => {
    const open = needing.filter(({ name }) => EXPECTED[name].POS !== 403)
    expect(open.map(({ feature }) => feature)).toEqual(open.map(() => 'counter'))
    expect(open.length).toBeGreaterThan(0)
  })

  it('ACL-08: opens to a gated account nothing that needs a permission', () => {
    for (const { name } of needing)
      for (const status of GATED) expect([name, EXPECTED[name][status]]).toEqual([name, 403])
  })
})

describe('another tenant', () => {
  const hidden = names.filter((name) => EXPECTED[name]['other tenant'] === 404)
  const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

  it.each(hidden)('ACL-02: gets from %s the same answer for what is ours and for what is not there', async (name) => {
    const ours = await askedOf(name)
    const elsewhere = JSON.stringify(ours).replaceAll(ID, () => randomUUID())
    // A statement is named by its month.
    const absent = JSON.parse(elsewhere.replace('"2026-10"', '"2026-09"')) as Asked
    expect(absent).not.toEqual(ours)
    const answers = []
    for (const asked of [ours, absent]) {
      const { status, headers, body } = await reply(await sendAs('other tenant', name, asked))
      answers.push({ status, headers: [...headers.keys()], body: { ...(body as object), request_id: '' } })
    }
    expect(answers[0]).toEqual(answers[1])
  })

  it('ACL-03: changes nothing of ours, whatever it asks', async () => {
    const { db } = server.database
    const id = actors.organisation.id
    const rows = async () => ({
      organisation: await db.select().from(organisationTable).where(eq(organisationTable.id, id)),
      branches: await db.select().from(branchTable).where(eq(branchTable.organisationId, id)).orderBy(branchTable.id),
      users: await db.select().from(appUser).where(eq(appUser.organisationId, id)).orderBy(appUser.id),
    })
    const asked = new Map<EndpointName, Asked>()
    for (const name of names) asked.set(name, await askedOf(name))
    const before = await rows()
    for (const [name, what] of asked) await (await sendAs('other tenant', name, what)).text()
    expect(await rows()).toEqual(before)
    expect(before.users.length).toBeGreaterThan(0)
    // Each endpoint of the table needs a login.
  }, 90_000)
})

describe('what a scope shows', () => {
  // Makes new actors: the tests above have created branches.
  beforeAll(async () => {
    actors = await makeActors(db())
  })

  /** Returns the serials in the voucher table of `who`. */
  async function serialsOf(who: Signed): Promise<string[]> {
    const { token } = await logIn(ask, actors.users[who])
    const { data } = await post<TablePage<VoucherRow>>(ask, '/api/voucher/datatable', { start: 0, limit: 100 }, token)
    return data.rows.map(({ serial }) => serial)
  }

  it('ACL-05: the organisation to its main account, its branches to a master, its branch to a branch, nobody else', async () => {
    const { db } = server.database
    const here = await makeRedemption(db, actors.till, '2026-11-20')
    const elsewhere = await makeRedemption(db, actors.otherTill, '2026-11-20')
    const foreign = await makeRedemption(db, await makePosUser(db, await makeMerchant(db)), '2026-11-20')
    const all = [here, elsewhere, foreign].map(({ voucher }) => voucher.serial)
    const seenBy = async (who: Signed) => {
      const serials = await serialsOf(who)
      return all.filter((serial) => serials.includes(serial))
    }
    expect(await seenBy('HRP')).toEqual([all[0], all[1]])
    expect(await seenBy('Additional')).toEqual([all[0]])
    expect(await seenBy('Branch')).toEqual([all[0]])
    expect(await seenBy('ADHOC')).toEqual([])
  })

  it('ACL-05: branches and POS users likewise; what is not mine answers exactly like what is not there', async () => {
    const names = async (who: Signed) => {
      const { token } = await logIn(ask, actors.users[who])
      const { data } = await get<{ name: string }[]>(ask, '/api/filter/transaction/branch_list', token)
      return data.map(({ name }) => name).toSorted()
    }
    const both = [actors.branch.name, actors.otherBranch.name].toSorted()
    expect(await names('HRP')).toEqual(both)
    expect(await names('Additional')).toEqual([actors.branch.name])
    expect(await names('Branch')).toEqual([actors.branch.name])

    const { token } = await logIn(ask, actors.users.Branch)
    const posList = (branch_guid: string) => post(ask, '/api/filter/transaction/pos_list', { branch_guid }, token)
    expect((await posList(actors.branch.id)).data).toEqual([{ guid: actors.till.id, name: actors.till.loginName }])
    const [foreign, absent] = [await posList(actors.otherBranch.id), await posList(randomUUID())]
    const anonymised = ({ body }: typeof foreign) => ({ ...(body as object), request_id: '' })
    expect(foreign.status).toBe(404)
    expect(anonymised(foreign)).toEqual(anonymised(absent))
  })

  it('ACL-05: a report of a branch or POS user outside the scope is 404', async () => {
    const { token } = await logIn(ask, actors.users.Additional)
    const report = (filter: object) =>
      send(ask, 'POST', '/reporting/report/merchant/transaction_report', {
        body: { from: '2026-11-01', to: '2026-11-02', ...filter },
        token,
        headers: {
          'login-type': 'MERCHANT',
        },
      })
    const refused = [
      { branch_guid: actors.otherBranch.id },
      { pos_guid: actors.otherTill.id },
      { branch_guid: actors.branch.id, pos_guid: actors.otherTill.id },
      { branch_guid: randomUUID() },
      { pos_guid: actors.users.Branch.id },
    ]
    for (const filter of refused) expect((await report(filter)).status).toBe(404)
    expect((await report({ branch_guid: actors.branch.id, pos_guid: actors.till.id })).status).toBe(200)
  })

  it('SES-04: rights follow the database row, not the token', async () => {
    const { db } = server.database
    const { main, organisation } = await makeMerchant(db)
    const { token } = await logIn(ask, main)
    await db
      .update(organisationTable)
      .set({ status: 'Pending Authorisation' })
      .where(eq(organisationTable.id, organisation.id))
    const refused = await post(ask, '/api/voucher/datatable', { start: 0, limit: 10 }, token)
    expect(refused).toMatchObject({ status: 403, error: 'ACCOUNT_GATED' })
    expect((await get(ask, '/api/account/my_info', token)).status).toBe(200)
  })
})
