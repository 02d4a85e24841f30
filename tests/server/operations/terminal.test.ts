import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../support/server/freePort.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const CTRL_C = '\u0003'

let folder: string
let url: string
/** The server's screen: the program `script` gives it a terminal. */
let terminal: ReturnType<typeof spawn>
let screen = ''
let ended: Promise<number | null>

const shown = (text: string) => vi.waitFor(() => expect(screen).toContain(text), { timeout: 30_000, interval: 50 })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-terminal-'))
  const port = String(await freePort())
  url = `http://127.0.0.1:${port}`
  // `exec`: dash stays as parent otherwise, gets the signal as well, and answers 130 whatever the server answers.
  terminal = spawn('script', ['-qec', 'exec node --import tsx server/main.ts', '/dev/null'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', PORT: port, PUBLIC_URL: url, DATA_DIR: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  ended = new Promise((done) => terminal.once('exit', done))
  terminal.stdout!.on('data', (bytes: Buffer) => void (screen += bytes.toString().replaceAll('\r\n', '\n')))
  await shown('Vouchers to try:')
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a person at a terminal reads the address, the accounts and vouchers to try', async () => {
  await shown('expired')
  expect(screen).toContain(`Merchant portal: ${url}\n`)
  expect(screen).toContain(`Database: its own PostgreSQL in ${join(folder, 'postgres')}\n`)
  for (const account of ['main@', 'master@', 'adhoc@', 'branch@', 'pending@'])
    expect(screen).toContain(`${account}demo.example`)
  expect(screen).toMatch(/till-1 .*Tampines Central/)
  expect(screen.match(/^ {2}2 \d{6} \d{6} +(active|used|expired)$/gm)).toHaveLength(3)
})

it('the link of each mail appears, no request does, and nothing is JSON', async () => {
  await fetch(`${url}/api/auth/forgot_password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"email":"main@demo.example"}',
  })
  await shown('Mail for main@demo.example: Set a new password: Kopi & Grain')
  await shown(`${url}/login?step=reset#token=`)
  expect(screen).not.toContain('forgot_password')
  expect(screen).not.toMatch(/^\{/m)
})

it('Ctrl+C stops it', async () => {
  terminal.stdin!.write(CTRL_C)
  expect({ code: await ended, screen }).toMatchObject({ code: 0 })
}, 60_000)
