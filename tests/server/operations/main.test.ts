import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { spawnServer, startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

const METRICS_TOKEN = 'for-prometheus-alone'
let folder: string
let first: ServerProcess

const printed = (text: string) =>
  vi.waitFor(() => expect(first.printed()).toContain(text), { timeout: 20_000, interval: 50 })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-'))
  // An empty setting counts as not set.
  first = await startServer({ DATA_DIR: folder, METRICS_TOKEN, HOST: '', PUBLIC_URL: '', NODE_ENV: '' })
  await printed('expired')
}, 60_000)
afterAll(async () => {
  await first.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('prints where it is, what its database survives, and whom to log in as', () => {
  const said = first.printed()
  expect(said).toContain(`Merchant portal: ${first.url}`)
  expect(said).toContain(
    `a PostgreSQL of its own in ${join(folder, 'postgres')}, for this server alone; survives a loss of power.`,
  )
  for (const account of ['main@', 'master@', 'adhoc@', 'branch@', 'pending@'])
    expect(said).toContain(`${account}demo.example`)
  expect(said).toMatch(/till-1 .*Tampines Central/)
  expect(said.match(/^ {2}2 \d{6} \d{6} +(active|used|expired)$/gm)).toHaveLength(3)
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
  expect(lost.printed()).toBe('The database cannot be reached or used: ECONNREFUSED.\n')
}, 20_000)

it('writes mail to its folder and prints the link, while there is no mail server', async () => {
  await fetch(`${first.url}/api/auth/forgot_password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"email":"main@demo.example"}',
  })
  const line = `Mail for main@demo.example: Set a new password ${first.url}/login?step=reset#token=`
  await printed(line)
  expect(readdirSync(join(folder, 'outbox'))).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\.eml$/)])
})

it('stops when asked, and comes back with its data and without seeding again', async () => {
  expect((await fetch(`${first.url}/api/ready`)).status).toBe(200)
  expect(await first.stop()).toBe(0)
  const said = first.printed()
  const example = /\d \d{6} \d{6} +used/.exec(said)![0]
  first = await startServer({ DATA_DIR: folder }, first.port)
  await printed('expired')
  expect(first.printed()).toContain(example)
  expect(first.printed()).not.toContain('postgres_left_behind')
}, 60_000)
