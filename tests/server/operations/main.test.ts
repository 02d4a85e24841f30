import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const METRICS_TOKEN = 'for-prometheus-alone'
const ROOT = join(import.meta.dirname, '../../..')
let folder: string
let port: number
let first: Started

interface Started {
  child: ChildProcess
  output: () => string
  exited: Promise<number | null>
}

function start(env: Record<string, string>): Started {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn('node', ['--import', 'tsx', 'server/main.ts'], { cwd: ROOT, env: { PATH, HOME, ...env } })
  let output = ''
  child.stdout.on('data', (text: Buffer) => (output += text))
  child.stderr.on('data', (text: Buffer) => (output += text))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, output: () => output, exited }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: found } = probe.address() as AddressInfo
      probe.close(() => resolve(found))
    })
  })

async function printed({ output, exited }: Started, text: string): Promise<void> {
  let isOver = false
  void exited.then(() => (isOver = true))
  while (!output().includes(text)) {
    if (isOver) throw new Error(`ended before it said "${text}":\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-'))
  port = await freePort()
  first = start({ DATA_DIR: folder, PORT: String(port), METRICS_TOKEN })
  await printed(first, 'expired')
}, 60_000)
afterAll(async () => {
  first.child.kill('SIGTERM')
  await first.exited
  rmSync(folder, { recursive: true, force: true })
})

it('prints where it is, what its database survives, and whom to sign in as', () => {
  const said = first.output()
  expect(said).toContain(`Merchant portal: http://127.0.0.1:${port}`)
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
  const text = await (await fetch(`http://127.0.0.1:${port}/api/metrics`, { headers })).text()
  expect(text).toMatch(/^portal_database_up 1$/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
})

it('FLT-07: keeps a second process off its folder', async () => {
  const second = start({ DATA_DIR: folder, PORT: String(await freePort()) })
  expect(await second.exited).toBe(1)
  const name = `portal process ${first.child.pid}`
  expect(second.output().trim()).toBe(
    `${join(folder, 'postgres/data')} is in use by ${name}: stop that one first, or set another DATA_DIR.`,
  )
}, 20_000)

it('refuses a bad setting in one line', async () => {
  const bad = start({ PORT: 'eighty', DATA_DIR: folder })
  expect(await bad.exited).toBe(1)
  expect(bad.output()).toBe('Configuration: PORT must be a whole number\n')
}, 20_000)

it('says in one line that its database is away', async () => {
  // Port 1 is reserved and closed.
  const secrets = { JWT_SECRET: 'x'.repeat(32), PASSWORD_KEY: 'not looked at yet' }
  const lost = start({ DATABASE_URL: 'postgres://x@127.0.0.1:1/x', DATA_DIR: folder, ...secrets })
  expect(await lost.exited).toBe(1)
  expect(lost.output()).toBe('The database cannot be reached or used: ECONNREFUSED.\n')
}, 20_000)

it('writes mail to its folder and prints the link, while there is no mail server', async () => {
  await fetch(`http://127.0.0.1:${port}/api/auth/forgot_password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"email":"main@demo.example"}',
  })
  const line = `Mail for main@demo.example: Set a new password http://127.0.0.1:${port}/login?step=reset#token=`
  await printed(first, line)
  expect(readdirSync(join(folder, 'outbox'))).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\.eml$/)])
})

it('stops when asked, and comes back with its data and without seeding again', async () => {
  expect((await fetch(`http://127.0.0.1:${port}/api/ready`)).status).toBe(200)
  first.child.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  const said = first.output()
  const example = /\d \d{6} \d{6} +used/.exec(said)![0]
  first = start({ DATA_DIR: folder, PORT: String(port) })
  await printed(first, 'expired')
  expect(first.output()).toContain(example)
  expect(first.output()).not.toContain('postgres_left_behind')
}, 60_000)
