import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { organisation as organisationTable } from '../../server/db/schema.ts'
import { pathOf } from '../../server/http/mount.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointName } from '../../src/contract/endpoints.ts'
import type { TablePage } from '../../src/contract/tableQuery.ts'
import type { VoucherRow } from '../../src/contract/voucher.ts'
import { type Actors, makeActors, type Signed, SIGNED } from '../support/actors.ts'
import { makeApplication, makeOnboarding } from '../support/applicant.ts'
import { makeInvited, makeMerchant, makePosUser, makeRedemption, makeVoucher } from '../support/builders.ts'
import { type Ask, get, post, send, sendPost, signIn } from '../support/portalClient.ts'
import { testServer, type TestServer } from '../support/testServer.ts'

const WHO = ['anonymous', ...SIGNED] as const
type Who = (typeof WHO)[number]
type Row = Record<Who, number>

const everyone = (status: number): Row => row(status, status, status, status, status, status, status)
function row(
  anonymous: number,
  hrp: number,
  gated: number,
  additional: number,
  adhoc: number,
  branch: number,
  pos: number,
): Row {
  return { anonymous, HRP: hrp, 'gated HRP': gated, Additional: additional, ADHOC: adhoc, Branch: branch, POS: pos }
}

/** Who gets what: anonymous, HRP, gated HRP, Additional, ADHOC, Branch, POS. An endpoint without a row does not compile. */
const EXPECTED: Record<EndpointName, Row> = {
  'system.health': everyone(200),
  'system.ready': everyone(200),
  'auth.publicKey': everyone(200),
  'auth.login': everyone(400),
  'auth.setNewPassword': everyone(400),
  // Without a challenge it is for a live session: 403 asks for the password again, which a POS user has no use for.
  'auth.initiateMfaSetup': row(401, 403, 403, 403, 403, 403, 403),
  'auth.verifyAndEnableMfa': everyone(400),
  'auth.verifyMfa': everyone(400),
  'auth.forgotPassword': everyone(200),
  'auth.confirmForgotPassword': everyone(400),
  'account.myInfo': row(401, 200, 200, 200, 200, 200, 200),
  'account.signIns': row(401, 200, 200, 200, 200, 200, 200),
  // Nobody here has an authenticator app.
  'account.renewRecoveryCodes': row(401, 403, 403, 403, 403, 403, 403),
  'account.refresh': row(401, 200, 200, 200, 200, 200, 200),
  'account.logout': row(401, 200, 200, 200, 200, 200, 200),
  'account.changePassword': row(401, 422, 422, 422, 422, 422, 422),
  'account.adminChangePassword': row(401, 422, 403, 403, 404, 403, 403),
  'merchant.changePassword': row(401, 422, 403, 422, 422, 422, 403),
  'merchant.resendInvitation': row(401, 200, 403, 404, 404, 403, 403),
  'captcha.offer': everyone(200),
  'captcha.verifyV3': everyone(400),
  'captcha.verifyV2': everyone(400),
  'upload.presign': row(401, 200, 200, 200, 200, 200, 403),
  'upload.presignPublic': everyone(403),
  'signup.apply': everyone(400),
  'signup.categories': everyone(200),
  'onboarding.read': row(401, 404, 404, 404, 404, 404, 404),
  'onboarding.submit': row(401, 409, 409, 403, 403, 403, 403),
  'review.read': everyone(400),
  'review.decide': everyone(400),
  'signup.termsPdf': everyone(200),
  'voucher.datatable': row(401, 200, 403, 200, 200, 200, 403),
  'voucher.verify': row(401, 403, 403, 403, 403, 403, 200),
  'voucher.redeem': row(401, 403, 403, 403, 403, 403, 200),
  'voucher.redemption': row(401, 403, 403, 403, 403, 403, 404),
  'filter.denominations': row(401, 200, 403, 200, 200, 200, 403),
  'filter.branches': row(401, 200, 403, 200, 200, 200, 403),
  'filter.posUsers': row(401, 200, 403, 200, 404, 200, 403),
  'report.transaction': row(401, 200, 403, 200, 200, 200, 403),
}

let server: TestServer
let ask: Ask
let actors: Actors
beforeAll(async () => {
  server = await testServer()
  ask = (path, init) => server.app.request(path, init)
  actors = await makeActors(server.database.db)
})
afterAll(() => server.close())

/** Like a wrong password: who gets that far was let through the door. */
const UNREADABLE = 'a.b.c.d.e'

/** A well-formed body for each endpoint that takes one. */
const BODIES: Partial<Record<EndpointName, () => unknown>> = {
  'auth.login': () => ({ kind: 'merchant', email: `${randomUUID()}@test.example`, encrypted_password: UNREADABLE }),
  'auth.setNewPassword': () => ({ token: 'x'.repeat(43), encrypted_new_password: UNREADABLE }),
  'auth.initiateMfaSetup': () => ({}),
  'auth.verifyAndEnableMfa': () => ({ setup: 'x'.repeat(43), code: '123456' }),
  'auth.verifyMfa': () => ({ session: 'x'.repeat(43), code: '123456' }),
  'auth.forgotPassword': () => ({ email: `${randomUUID()}@test.example` }),
  'auth.confirmForgotPassword': () => ({ token: 'x'.repeat(43), encrypted_password: UNREADABLE }),
  'account.changePassword': () => ({ encrypted_current_password: UNREADABLE, encrypted_new_password: UNREADABLE }),
  'account.renewRecoveryCodes': () => ({ encrypted_current_password: UNREADABLE, code: '123456' }),
  'account.adminChangePassword': () => ({
    user_guid: actors.users.Branch.id,
    encrypted_own_password: UNREADABLE,
    encrypted_new_password: UNREADABLE,
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
  'review.read': () => ({ token: 'x'.repeat(43) }),
  'review.decide': () => ({ token: 'x'.repeat(43), decision: 'approve' }),
  'voucher.datatable': () => ({ start: 0, limit: 10 }),
  'voucher.verify': async () => ({ serial: (await makeVoucher(server.database.db)).serial }),
  'voucher.redeem': async () => ({ serial: (await makeVoucher(server.database.db)).serial }),
  'filter.posUsers': () => ({ branch_guid: actors.branch.id }),
  'report.transaction': () => ({ from: '2026-11-01', to: '2026-11-21' }),
}

/** The id in the path, where a made-up one will not do. */
const IDS: Partial<Record<EndpointName, () => Promise<string>>> = {
  'merchant.resendInvitation': async () => {
    const { organisation } = actors
    return (await makeInvited(server.database.db, 'Additional Merchant', { organisation })).id
  },
}

async function call(name: EndpointName, who: Who): Promise<Response> {
  const endpoint: Endpoint = ENDPOINTS[name]
  const signed = who === 'anonymous' ? undefined : await signIn(ask, actors.users[who])
  const path = pathOf(endpoint).replace(':id', (await IDS[name]?.()) ?? randomUUID())
  const headers = { cookie: signed?.cookie ?? '', 'login-type': 'MERCHANT', 'idempotency-key': randomUUID() }
  const body = endpoint.body ? { body: await BODIES[name]?.() } : {}
  return send(ask, endpoint.method, path, { ...body, token: signed?.token, headers })
}

const CODE_OF_400: Partial<Record<EndpointName, string>> = {
  'auth.login': 'INVALID_CREDENTIALS',
  'auth.verifyAndEnableMfa': 'CHALLENGE_EXPIRED',
  'auth.verifyMfa': 'CHALLENGE_EXPIRED',
  'captcha.verifyV3': 'CAPTCHA_INVALID',
  'captcha.verifyV2': 'CAPTCHA_INVALID',
  'signup.apply': 'CAPTCHA_INVALID',
}

/** The code that goes with a refusal. */
function codeFor(name: EndpointName, who: Who): string {
  switch (EXPECTED[name][who]) {
    case 400:
      return CODE_OF_400[name] ?? 'LINK_INVALID'
    case 401:
      return 'TOKEN_MISSING'
    case 409:
      return 'INVALID_STATE'
    case 403:
      if (name === 'onboarding.submit') return 'FORBIDDEN'
      if (name === 'auth.initiateMfaSetup') return who === 'POS' ? 'FORBIDDEN' : 'REAUTH_REQUIRED'
      if (name === 'account.renewRecoveryCodes') return 'FORBIDDEN'
      if (name === 'upload.presignPublic') return 'CAPTCHA_REQUIRED'
      // The redeem statement knows one "not allowed".
      return who === 'gated HRP' && name !== 'voucher.redeem' ? 'ACCOUNT_GATED' : 'FORBIDDEN'
    case 422:
      return 'WRONG_PASSWORD'
    case 404:
      return name === 'voucher.redemption' ? 'REDEMPTION_UNKNOWN' : 'NOT_FOUND'
    default:
      return 'none'
  }
}

describe.each(Object.keys(ENDPOINTS) as EndpointName[])('%s', (name) => {
  it.each(WHO)('for %s', async (who) => {
    const response = await call(name, who)
    const text = await response.text()
    const { error = 'none' } = text.startsWith('{') ? (JSON.parse(text) as { error?: string }) : {}
    expect(`${response.status} ${error}`).toBe(`${EXPECTED[name][who]} ${codeFor(name, who)}`)
  })
})

describe('what a scope shows', () => {
  /** Serials in the voucher table of `who`. */
  async function serialsOf(who: Signed): Promise<string[]> {
    const { token } = await signIn(ask, actors.users[who])
    const { data } = await post<TablePage<VoucherRow>>(ask, '/api/voucher/datatable', { start: 0, limit: 100 }, token)
    return data.rows.map(({ serial }) => serial)
  }

  it('the organisation to its main account, its branches to a master, its branch to a branch, nobody else', async () => {
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

  it('branches and POS users likewise; what is not mine answers exactly like what is not there', async () => {
    const names = async (who: Signed) => {
      const { token } = await signIn(ask, actors.users[who])
      const { data } = await get<{ name: string }[]>(ask, '/api/filter/transaction/branch_list', token)
      return data.map(({ name }) => name).toSorted()
    }
    const both = [actors.branch.name, actors.otherBranch.name].toSorted()
    expect(await names('HRP')).toEqual(both)
    expect(await names('Additional')).toEqual([actors.branch.name])
    expect(await names('Branch')).toEqual([actors.branch.name])

    const { token } = await signIn(ask, actors.users.Branch)
    const posList = (branch_guid: string) => post(ask, '/api/filter/transaction/pos_list', { branch_guid }, token)
    expect((await posList(actors.branch.id)).data).toEqual([{ guid: actors.till.id, name: actors.till.loginName }])
    const [foreign, absent] = [await posList(actors.otherBranch.id), await posList(randomUUID())]
    const anonymised = ({ body }: typeof foreign) => ({ ...(body as object), request_id: '' })
    expect(foreign.status).toBe(404)
    expect(anonymised(foreign)).toEqual(anonymised(absent))
  })

  it('a report of a branch or POS user outside the scope is 404', async () => {
    const { token } = await signIn(ask, actors.users.Additional)
    const report = (filter: object) =>
      sendPost(
        ask,
        '/reporting/report/merchant/transaction_report',
        { from: '2026-11-01', to: '2026-11-02', ...filter },
        token,
        {
          'login-type': 'MERCHANT',
        },
      )
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

  it('rights follow the database row, not the token', async () => {
    const { db } = server.database
    const { main, organisation } = await makeMerchant(db)
    const { token } = await signIn(ask, main)
    await db
      .update(organisationTable)
      .set({ status: 'Pending Authorisation' })
      .where(eq(organisationTable.id, organisation.id))
    const refused = await post(ask, '/api/voucher/datatable', { start: 0, limit: 10 }, token)
    expect(refused).toMatchObject({ status: 403, error: 'ACCOUNT_GATED' })
    expect((await get(ask, '/api/account/my_info', token)).status).toBe(200)
  })
})
