import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { launchAs, postgresUser, type PostgresUser } from '../../../server/db/embedded/programs.ts'
import { makePosUser, makeRedemption } from '../../support/database/builders.ts'
import { DEBIAN_POSTGRES } from '../../support/database/debianPostgres.ts'
import { startPostgres, type Postgres } from '../../support/database/postgres.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'

const SCRIPT = resolve(import.meta.dirname, '../../../deploy/restore-to-moment.sh')

let folder: string
let user: PostgresUser
let primary: Postgres
let at: ServerEnvironment
/** A moment between the second and the third redemption. */
let moment: string

/** Makes a base backup after the first redemption of $10. All WAL of the next two redemptions is archived. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moment-'))
  const parent = join(folder, 'postgres')
  const archive = join(parent, 'archive')
  mkdirSync(archive, { recursive: true })
  user = postgresUser(parent)
  primary = await startPostgres({
    version: 'oldest',
    settings: { archive_mode: 'on', archive_command: `cp "%p" "${archive}/%f"` },
  })
  at = await serverEnvironment({ server: primary.url('postgres') })
  const database = await at.open()
  const till = await makePosUser(database.db)
  const redeem = () => makeRedemption(database.db, till, new Date(), { denominationCents: 1_000 })
  await redeem()
  const backup = ['-D', join(parent, 'base'), '-d', primary.url('postgres', 'postgres'), '--checkpoint=fast']
  const { program, args, ids } = launchAs(user, join(DEBIAN_POSTGRES, 'pg_basebackup'), backup)
  execFileSync(program, args, { ...ids, stdio: 'pipe' })
  await redeem()
  moment = await valueOf('clock_timestamp()::text')
  await redeem()
  await database.close()
  await archiveAll()
}, 120_000)

afterAll(async () => {
  await at.remove()
  await primary.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function archiveAll(): Promise<void> {
  const last = await valueOf('pg_walfile_name(pg_switch_wal())')
  await vi.waitUntil(() => valueOf<boolean>('last_archived_wal >= $1', [last], 'FROM pg_stat_archiver'), {
    timeout: 30_000,
  })
}

async function valueOf<T = string>(expression: string, values: unknown[] = [], from = ''): Promise<T> {
  const admin = new Client({ connectionString: primary.url('postgres', 'postgres') })
  await admin.connect()
  const { rows } = await admin.query<{ value: T }>(`SELECT ${expression} AS value ${from}`, values)
  await admin.end()
  return rows[0]!.value
}

const restore = (to: string, name: string) =>
  new Promise<{ code: number; out: string; err: string }>((done) => {
    const parent = join(folder, 'postgres')
    const given = [join(parent, 'base'), join(parent, 'archive'), to, join(parent, name)]
    const { program, args, ids } = launchAs(user, SCRIPT, given)
    const env = { ...process.env, ...at.env, PGDATABASE: new URL(at.env.DATABASE_URL).pathname.slice(1) }
    execFile(program, args, { ...ids, env }, (error, out, err) => done({ code: Number(error?.code ?? 0), out, err }))
  })

it('has what was redeemed until then and nothing after it, in a ledger that agrees', async () => {
  const { code, out, err } = await restore(moment, 'restored')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('$20.00 in 2 redemptions')
  expect(out).toContain('They agree, one to one.')
  expect(out).toMatch(/Receipt numbers go on after R-\d+, so that no number is used twice\./)
  expect(out).toMatch(/ as of .* is in .*\/restored\/data, after \d+ seconds\.\n$/)
  // The restored database has no recovery settings left that an operator would have to undo.
  const left = (file: string) => readFileSync(join(folder, 'postgres/restored', file), 'utf8')
  expect(left('log')).toContain('database system is shut down')
  expect(left('data/postgresql.auto.conf')).not.toContain('recovery_target')
}, 120_000)

it('says so when the archive does not reach that far, and touches no folder that is there or that a link leads to', async () => {
  expect(await restore('2099-01-01 00:00:00+08', 'late')).toMatchObject({
    code: 1,
    err: expect.stringContaining('recovery ended before configured recovery target was reached') as string,
  })
  const link = join(folder, 'postgres/base/pg_tblspc/16384')
  symlinkSync(folder, link)
  expect(await restore(moment, 'linked')).toMatchObject({
    code: 2,
    err: expect.stringContaining('has links') as string,
  })
  unlinkSync(link)
  expect(await restore(moment, 'base')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/exists already/) as string,
  })
}, 120_000)
