import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEmbedded, type EmbeddedUse } from '../../../server/db/embedded/openEmbedded.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import { makeOrganisation } from '../../support/database/builders.ts'
import { startServer } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'embedded-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (dataDir: string, use: Partial<EmbeddedUse> = {}) =>
  openEmbedded(dataDir, silentLog, { by: 'server', ...use })

/** The private folders for sockets. */
const temporaries = () => readdirSync(tmpdir()).filter((name) => /^portal-.{6}$/.test(name))

/** Makes an organisation, closes, opens again, and looks for it. */
async function keptIn(dataDir: string, use: Partial<EmbeddedUse> = {}): Promise<boolean> {
  const first = await open(dataDir, use)
  const { name } = await makeOrganisation(first.db)
  await first.close()
  const second = await open(dataDir, use)
  const names = (await second.db.select().from(organisation)).map((found) => found.name)
  await second.close()
  return names.includes(name)
}

const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0

describe('a server without DATABASE_URL', () => {
  it.runIf(canMount)('starts for root where the system knows no user but root and nobody', () => {
    const passwd = join(folder, 'passwd')
    writeFileSync(passwd, 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n')
    const script = `import { openEmbedded } from './server/db/embedded/openEmbedded.ts'
      const log = { info() {}, warn() {}, error() {} }
      const database = await openEmbedded(process.env.DATA_DIR, log, { by: 'server' })
      console.log(database.engine)
      await database.close()`
    const inNamespace = `mount --bind ${passwd} /etc/passwd && exec "$0" --import tsx --input-type=module --eval "$1"`
    const ran = spawnSync('unshare', ['--mount', 'sh', '-c', inNamespace, process.execPath, script], {
      cwd: resolve(import.meta.dirname, '../../..'),
      env: { ...process.env, DATA_DIR: join(folder, 'data') },
      encoding: 'utf8',
    })
    expect(ran.stderr).toBe('')
    expect(ran.stdout).toBe('embedded\n')
  })

  it('keeps its data in a folder with blanks, and in one too deep for a socket', async () => {
    expect(await keptIn(join(folder, "a merchant's, data"))).toBe(true)
    const temporary = temporaries()
    expect(await keptIn(join(folder, 'deep/'.repeat(30)))).toBe(true)
    expect(temporaries().filter((name) => !temporary.includes(name))).toEqual([])
  })

  it('listens on a port of this machine alone where there are no such sockets', async () => {
    expect(await keptIn(folder, { listens: 'loopback' })).toBe(true)
  })

  it('starts where the number of a killed PostgreSQL was given to another process', async () => {
    await (await open(folder)).close()
    const lines = [process.pid, join(folder, 'postgres/data'), 0, 5432, folder, '', '0 0', 'ready']
    writeFileSync(join(folder, 'postgres/data/postmaster.pid'), lines.join('\n'))
    expect(await keptIn(folder)).toBe(true)
  })

  it('says in a sentence that earlier data is left alone', async () => {
    mkdirSync(join(folder, 'database'))
    writeFileSync(join(folder, 'database/PG_VERSION'), '18\n')
    const server = await startServer({ DATA_DIR: folder, DEMO: 'off', MFA: 'optional' })
    expect(server.printed()).toContain(
      `Earlier data: ${join(folder, 'database')} was made by a preview of the portal and is left as it is`,
    )
    await server.stop()
    expect(readFileSync(join(folder, 'database/PG_VERSION'), 'utf8')).toBe('18\n')
  })
})
