import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { DEMO_PASSWORD } from '../../../server/demo/demoMerchants.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import type { VoucherRow } from '../../../src/contract/vouchers.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { spawnServer, startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

const METRICS_TOKEN = 'for-prometheus-alone'
let folder: string
let first: ServerProcess

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Returns what a merchant of the demo sees of its vouchers. */
async function vouchersSeen() {
  const merchant = { loginKind: 'merchant', loginName: 'main@demo.example' } as const
  const main = await loggedInClient(first.ask, merchant, DEMO_PASSWORD)
  return (await main.post<TablePage<VoucherRow>>('/voucher/datatable', { start: 0, limit: 10 })).data
}

const printed = (text: string) =>
  vi.waitFor(() => expect(first.printed()).toContain(text), { timeout: 20_000, interval: 50 })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-'))
  // An empty setting counts as not set.
  first = await startServer({ DATA_DIR: folder, METRICS_TOKEN, HOST: '', PUBLIC_URL: '', NODE_ENV: '' })
  await printed('"event":"started"')
}, 60_000)
afterAll(async () => {
  await first.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('writes JSON lines into a pipe, and says where it keeps what', () => {
  const events = linesOf(first.printed())
  expect(events.find(({ event }) => event === 'started')).toMatchObject({
    url: first.url,
    database: `its own PostgreSQL in ${join(folder, 'postgres')}`,
    mail: `written to ${join(folder, 'outbox')}, not sent`,
    files: `in ${join(folder, 'files')}`,
    demo: true,
  })
})

it('keeps its secrets to itself', () => {
  for (const name of ['jwt-secret', 'password-key.pem']) {
    expect(statSync(join(folder, 'secrets', name)).mode & 0o777).toBe(0o600)
  }
})

it('lets an operator read its metrics by the token they have set', async () => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${first.url}/api/metrics`, { headers })).text()
  expect(text).toMatch(/^portal_database_up 1$/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
})

it('FLT-07: keeps a second process off its folder', async () => {
  const second = await spawnServer({ DATA_DIR: folder })
  expect(await second.ended).toBe(1)
  const name = `portal process ${first.pid}`
  expect(second.printed().trim()).toBe(
    `${join(folder, 'postgres/data')} is in use by ${name}: stop that one first, or set another DATA_DIR.`,
  )
}, 20_000)

it('refuses a bad setting in one line', async () => {
  const bad = await spawnServer({ PORT: 'eighty', DATA_DIR: folder })
  expect(await bad.ended).toBe(1)
  expect(bad.printed()).toBe('Configuration: PORT must be a whole number\n')
}, 20_000)

it('says in one line that its database is away', async () => {
  // Port 1 is reserved, and nothing listens on it.
  const secrets = { JWT_SECRET: 'x'.repeat(32), PASSWORD_KEY: 'not looked at yet' }
  const lost = await spawnServer({ DATABASE_URL: 'postgres://x@127.0.0.1:1/x', DATA_DIR: folder, ...secrets })
  expect(await lost.ended).toBe(1)
  expect(lost.printed()).toBe('The database cannot be reached or used: connect ECONNREFUSED 127.0.0.1:1.\n')
}, 20_000)

it('writes mail to its folder while there is no mail server, and keeps the link out of its log', async () => {
  await fetch(`${first.url}/api/auth/forgot_password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"email":"main@demo.example"}',
  })
  await printed('"event":"mail_written"')
  const [name = '', ...others] = readdirSync(join(folder, 'outbox'))
  expect(others).toEqual([])
  expect(name).toMatch(/^[0-9a-f-]{36}\.eml$/)
  const written = linesOf(first.printed()).find(({ event }) => event === 'mail_written')
  expect(written).toMatchObject({ file: join(folder, 'outbox', name) })
  expect(first.printed()).not.toContain('#token=')
})

it('stops when asked, and comes back with its data and without seeding again', async () => {
  expect((await fetch(`${first.url}/api/ready`)).status).toBe(200)
  const before = await vouchersSeen()
  expect(before.rows).toHaveLength(10)
  expect(await first.stop()).toBe(0)
  first = await startServer({ DATA_DIR: folder }, first.port)
  expect(await vouchersSeen()).toEqual(before)
  expect(first.printed()).not.toContain('postgres_left_behind')
}, 60_000)
