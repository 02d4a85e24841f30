import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/server/freePort.ts'

const ROOT = join(import.meta.dirname, '../..')
const STARTS_WITHIN_MS = 60_000

/** The server with its demo data, on a port of its own. Throws when it does not answer in time. */
export async function startDemo(dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: 'ignore',
  })
  const stop = async () => {
    server.kill()
    await once(server, 'exit')
  }
  const isUp = () =>
    fetch(`${url}/api/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  const until = Date.now() + STARTS_WITHIN_MS
  while (!(await isUp())) {
    if (Date.now() > until || server.exitCode !== null) throw new Error('The demo server did not start')
    await sleep(250)
  }
  return { url, stop }
}
