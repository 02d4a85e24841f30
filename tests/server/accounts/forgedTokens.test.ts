import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { decodeJwt, SignJWT, type JWTHeaderParameters } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { session } from '../../../server/db/schema/accounts.ts'
import { appUser, branch } from '../../../server/db/schema/organisations.ts'
import type { Failure } from '../../../src/contract/envelope.ts'
import { get, logIn, type Reply } from '../../support/api/portalClient.ts'
import { makeBranch, makeMerchant, makeUser, type Merchant } from '../../support/database/builders.ts'
import { newHoldKey, verifyAt } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

/** A server that counts how often a key set is fetched from it. */
let keySet: Server
let keySetAsked = 0
beforeAll(async () => {
  keySet = createServer((_, response) => {
    keySetAsked += 1
    response.end('{}')
  })
  await new Promise<void>((listening) => keySet.listen(0, '127.0.0.1', listening))
})
afterAll(() => void keySet.close())

let merchant: Merchant
let token: string
beforeEach(async () => {
  merchant = await makeMerchant(db())
  ;({ token } = await logIn(ask, merchant.main))
})

const secret = () => server.deps.secrets.jwtSecret
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const myInfo = (bearer: string) => get(ask, '/api/account/my_info', bearer)

/** Signs the claims of the session's token, with these claims and headers changed, with `key`. */
const sign = (claims: object, header: Partial<JWTHeaderParameters> & object = {}, key: Uint8Array = secret()) =>
  new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
    .sign(key)

/** Tries a token at the API and at the refresh, and returns the answers and the log. */
async function outcomeOf(bearer: string) {
  server.log.events.length = 0
  const before = await sessionsOf()
  const replies: Reply[] = [await myInfo(bearer), await get(ask, '/api/account/refresh', bearer)]
  const told = server.log.events
    .filter(({ event }) => event === 'token_refused')
    .map(({ facts }) => facts['request_id'])
  return {
    answers: replies.map(({ status, error }) => `${status} ${error}`),
    toldOperator: JSON.stringify(told) === JSON.stringify(replies.map(({ body }) => (body as Failure).request_id)),
    errors: server.log.events.filter(({ level }) => level === 'error'),
    sessionUnchanged: JSON.stringify(before) === JSON.stringify(await sessionsOf()),
    ownerStillIn: (await myInfo(token)).status === 200,
  }
}
const REFUSED = {
  answers: ['401 TOKEN_INVALID', '401 TOKEN_INVALID'],
  toldOperator: true,
  errors: [],
  sessionUnchanged: true,
  ownerStillIn: true,
}
const sessionsOf = () => db().select().from(session).where(eq(session.userId, merchant.main.id))

it('a token signed as ours are is taken: what follows is refused for what was changed', async () => {
  expect((await myInfo(await sign({}))).status).toBe(200)
})

describe('SES-01: without a signature', () => {
  it.each(['none', 'None', 'nOnE', 'NONE', '', 'HS256'])('of algorithm %j', async (alg) => {
    expect(await outcomeOf(`${base64({ alg, typ: 'at+jwt' })}.${token.split('.')[1]}.`)).toEqual(REFUSED)
  })

  it.each(['nonsense', '..', 'a.b.c', `${'x'.repeat(5_000)}.y.z`])('%.20s is no token at all', async (bearer) => {
    expect(await outcomeOf(bearer)).toEqual(REFUSED)
  })
})

describe('SES-02: with a key of the forger’s choice', () => {
  const encoded = (text: string) => new TextEncoder().encode(text)

  it('the public key as an HMAC secret', async () => {
    expect(await outcomeOf(await sign({}, {}, encoded(server.deps.secrets.passwordKey.publicPem)))).toEqual(REFUSED)
  })

  it('another secret', async () => {
    expect(await outcomeOf(await sign({}, {}, encoded('another secret of at least 32 bytes')))).toEqual(REFUSED)
  })

  it('one named in the header, which is neither fetched nor looked up', async () => {
    const url = `http://127.0.0.1:${(keySet.address() as AddressInfo).port}/keys`
    const own = encoded('a key of the forger, 32 bytes or more')
    const jwk = { kty: 'oct', k: Buffer.from(own).toString('base64url') }
    const headers = [{ jwk }, { jku: url }, { x5u: url }, { kid: '../../etc/passwd' }, { kid: "' OR 1=1--" }]
    for (const header of headers) {
      expect(await outcomeOf(await sign({}, header, own))).toEqual(REFUSED)
    }
    expect(keySetAsked).toBe(0)
  })

  it('the right one by another algorithm', async () => {
    expect(await outcomeOf(await sign({}, { alg: 'HS512' }))).toEqual(REFUSED)
  })
})

describe('SES-03: signed by us, meant for something else', () => {
  it.each([
    { aud: 'another' },
    { aud: undefined },
    { iss: 'https://evil.example' },
    { iss: undefined },
    { sid: undefined },
    { exp: undefined },
  ])('%o', async (claims) => expect(await outcomeOf(await sign(claims))).toEqual(REFUSED))

  it('of another type', async () => {
    expect(await outcomeOf(await sign({}, { typ: 'JWT' }))).toEqual(REFUSED)
  })
})

describe('SES-04: what a token says of its owner', () => {
  it.each([{ sub: '018f2f6e-7a52-7cc0-8000-000000000001' }, { utype: 'HRP Merchant' }, { branch: 'other' }])(
    'cannot be edited: %o',
    async (change) => {
      const payload = base64({ ...decodeJwt(token), ...change })
      expect(await outcomeOf(token.split('.').with(1, payload).join('.'))).toEqual(REFUSED)
    },
  )

  it('is not asked: an account that lost its rights has lost them with the next call, one that got them has them', async () => {
    const master = await makeUser(db(), 'Additional Merchant', { organisation: merchant.organisation })
    const { token: theirs } = await logIn(ask, master)
    const branches = () => get<{ name: string }[]>(ask, '/api/filter/transaction/branch_list', theirs)
    expect((await branches()).data).toEqual([])
    const managed = await makeBranch(db(), merchant.organisation, { masterUserId: master.id })
    expect((await branches()).data.map(({ name }) => name)).toEqual([managed.name])
    await db().update(branch).set({ masterUserId: null }).where(eq(branch.id, managed.id))
    expect((await branches()).data).toEqual([])
    await db()
      .update(appUser)
      .set({ type: 'POS User', branchId: merchant.branch.id, loginKind: 'pos' })
      .where(eq(appUser.id, master.id))
    expect(await branches()).toMatchObject({ status: 403, error: 'FORBIDDEN' })
    // The user is a POS User now, but the hold names a till that does not exist.
    expect((await verifyAt({ ask, token: theirs, till: randomUUID() }, '2000000000008', newHoldKey())).error).toBe(
      'TILL_UNKNOWN',
    )
  })
})
