import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathOf } from '../../../server/http/mount.ts'
import { hashToken, newToken } from '../../../server/services/opaqueToken.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints.ts'
import { branchForm } from '../../support/api/forms.ts'
import { signIn, type Ask } from '../../support/api/portalClient.ts'
import { isInstalled, runSqlmap, runWapiti, sendOnce, type ScannedRequest } from '../../support/api/scanners.ts'
import {
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeVoucher,
  type Merchant,
  type PosUser,
} from '../../support/database/builders.ts'
import { testDatabase } from '../../support/database/testDatabase.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

// Scanners of others against the server as it runs: `npm run test:security`. Debian has both; where one is missing, its test
// says so by being skipped.
const LONG = process.env['LOAD'] === 'long'
/** Of sqlmap: 5 tries everything it knows, and takes an hour (TBL-01). */
const LEVEL = Number(process.env['SQLMAP_LEVEL'] ?? 2)

let at: ServerEnvironment
let server: ServerProcess
let merchant: Merchant
let till: PosUser
let ask: Ask
const KEY = randomUUID()
/** Well-formed, and nobody's. */
const SEALED = 'a.b.c.d.e'
const RANGE = { from: '2026-11-01', to: '2026-11-21' }

let ids: { branch: string; serial: string; redemption: string }

beforeAll(async () => {
  if (!LONG) return
  at = await serverEnvironment()
  const database = await at.open()
  merchant = await makeMerchant(database.db)
  till = await makePosUser(database.db, merchant)
  const { entry } = await makeRedemption(database.db, till, '2026-11-20')
  const { serial } = await makeVoucher(database.db)
  ids = { branch: merchant.branch.id, redemption: entry.id, serial }
  await database.close()
  server = await startServer(at.env)
  ask = server.ask
}, 120_000)
afterAll(async () => {
  await server?.stop()
  await at?.remove()
})

interface Target {
  params?: Record<string, string>
  query?: string
  headers?: Record<string, string>
  body?: unknown
}
type Who = 'nobody' | 'main' | 'till'

const list = (column: string, key: string, value: string) => ({
  start: 0,
  limit: 10,
  search_str: 'a',
  order_by: [{ column, sort_type: 'asc' }],
  other_params: [{ key, value }],
})
const REPORTING = { 'login-type': 'MERCHANT' }

/** One request for every kind of statement that takes something from outside, in a form that reaches it. */
const TARGETS: [EndpointName, Who, () => Target][] = [
  ['auth.forgotPassword', 'nobody', () => ({ body: { email: merchant.main.loginName } })],
  ['auth.verifyMfa', 'nobody', () => ({ body: { session: `${newToken()}*`, code: '123456' } })],
  ['auth.confirmForgotPassword', 'nobody', () => ({ body: { token: `${newToken()}*`, encrypted_password: SEALED } })],
  ['review.read', 'nobody', () => ({ body: { token: `${newToken()}*` } })],
  ['branches.datatable', 'main', () => ({ body: list('name', 'status', 'Active') })],
  ['branches.export', 'main', () => ({ body: list('code', 'kind', 'permanent') })],
  ['branches.get', 'main', () => ({ params: { id: `${ids.branch}*` } })],
  ['branches.create', 'main', () => ({ body: branchForm() })],
  ['posUsers.datatable', 'main', () => ({ body: list('username', 'branch', ids.branch) })],
  ['voucher.datatable', 'main', () => ({ body: list('serial', 'used_from', '2026-11-01') })],
  ['voucher.export', 'main', () => ({ body: list('date_used', 'denomination', '1000') })],
  ['activity.datatable', 'main', () => ({ body: list('at', 'subject', `branch:${ids.branch}`) })],
  ['report.transaction', 'main', () => ({ headers: REPORTING, body: { ...RANGE, branch_guid: ids.branch } })],
  ['report.preview', 'main', () => ({ headers: REPORTING, body: { report: 'transaction', params: RANGE } })],
  ['filter.posUsers', 'main', () => ({ body: { branch_guid: ids.branch } })],
  [
    'voucher.verify',
    'till',
    () => ({ body: { serial: ids.serial, hold: { id: KEY, secret_hash: hashToken(newToken()), till: KEY } } }),
  ],
  ['till.sync', 'nobody', () => ({ body: { rows: [{ became: 'redeemed', id: `${KEY}*`, secret: newToken() }] } })],
  ['voucher.myDay', 'till', () => ({ query: `?day=2026-11-20&till=${KEY}` })],
  ['till.name', 'till', () => ({ params: { id: `${KEY}*` }, body: { name: 'Till 2' } })],
]

async function requestOf(name: EndpointName, who: Who, { params = {}, query = '', headers, body }: Target) {
  const endpoint: Endpoint = ENDPOINTS[name]
  const path = pathOf(endpoint).replaceAll(/:(\w+)/g, (_, param: string) => params[param]!) + query
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  return { method: endpoint.method, path, headers: { ...type, ...headers, ...(await bearerOf(who)) }, body }
}

async function bearerOf(who: Who): Promise<Record<string, string>> {
  if (who === 'nobody') return {}
  const { token } = await signIn(ask, who === 'main' ? merchant.main : till)
  return { authorization: `Bearer ${token}` }
}

/** What no statement of ours does: text from outside becomes part of it. */
async function serverWithHole() {
  const database = await testDatabase()
  const listener = createServer((request, response) => {
    const name = new URL(request.url!, 'http://a').searchParams.get('name')
    database.db.execute(sql.raw(`SELECT count(*) FROM branch WHERE name = '${name}'`)).then(
      (found) => response.end(JSON.stringify(found)),
      () => response.writeHead(500).end('database error'),
    )
  })
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    async close() {
      await new Promise((closed) => listener.close(closed))
      await database.close()
    },
  }
}

describe.runIf(LONG && isInstalled('sqlmap'))('scanner sqlmap', () => {
  it('finds the way in where there is one, so that its silence says something', async () => {
    const hole = await serverWithHole()
    const verdict = await runSqlmap(hole.url, { method: 'GET', path: '/?name=a', headers: {} }, LEVEL)
    await hole.close()
    expect(verdict.injectable, `sqlmap: ${verdict.output}`).toEqual(['Parameter: name (GET)'])
  }, 300_000)

  it.each(TARGETS)(
    'TBL-01: finds no way in through %s as %s, and breaks nothing',
    async (name, who, target) => {
      const request: ScannedRequest = await requestOf(name, who, target())
      // What the schema refuses never comes as far as a statement.
      expect([200, 400]).toContain((await sendOnce(server.url, request)).status)
      const verdict = await runSqlmap(server.url, request, LEVEL)
      expect(verdict.injectable, `sqlmap: ${verdict.output}`).toEqual([])
      expect(verdict, `sqlmap: ${verdict.output}`).toMatchObject({ finished: true, ignored: [] })
      expect(verdict.statuses).not.toHaveProperty('500')
    },
    900_000,
  )
})

/** Wapiti's own, without those that need its servers, or a list it has to load first. */
const MODULES =
  'backup,blindsql,cookieflags,crlf,csp,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss'

/** What it says and what we answer (docs/SECURITY.md): anything else fails. */
const TRIAGED: Record<string, string> = {
  'X-Frame-Options is not set': 'frame-ancestors of the policy forbids frames, for every browser we support',
  'X-XSS-Protection is not set': 'the filter it steered is gone from every browser, and could be turned against a page',
  'Strict-Transport-Security is not set': 'asked over http here; over https it is sent',
  'Backup file {origin}/login~ found for {origin}/login':
    'every address without a file is answered by the portal itself',
}

describe.runIf(LONG && isInstalled('wapiti'))('scanner wapiti', () => {
  it('finds nothing in the portal and its API that was not looked into', async () => {
    const pages = ['/login', '/api/openapi.json', '/api/health?nonce=a', `/api/branch/get/${ids.branch}`]
    const { findings, visited, output } = await runWapiti(server.url, pages, await bearerOf('main'), MODULES)
    const known = Object.keys(TRIAGED).map((text) => text.replaceAll('{origin}', server.url))
    expect(visited, `wapiti: ${output}`).toBeGreaterThan(pages.length)
    expect(findings.filter(({ info }) => !known.includes(info))).toEqual([])
  }, 900_000)
})
