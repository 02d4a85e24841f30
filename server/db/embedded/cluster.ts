import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../syncFolder.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedError } from './EmbeddedError.ts'
import { launchAs, type PostgresUser } from './PostgresUser.ts'

/** A data folder of PostgreSQL ("cluster") and the password of its two logins. */
export interface Cluster {
  data: string
  password: string
}

/** The login that makes roles and databases. The portal's own login is not a superuser. */
export const SUPERUSER = 'postgres'

/**
 * The cluster in `folder`; made there when there is none. Checksums are on, and its rules for letters are PostgreSQL's own, so
 * that an update of the system cannot break an index.
 * @throws EmbeddedError OTHER_VERSION, DID_NOT_START
 */
export function findOrMakeCluster(
  folder: string,
  { binaries, user }: { binaries: Binaries; user: PostgresUser },
): Cluster {
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  if (!existsSync(passwordFile)) writePassword(passwordFile, user)
  if (!existsSync(data)) makeCluster(data, passwordFile, { binaries, user })
  refuseOtherVersion(data, binaries)
  return { data, password: readFileSync(passwordFile, 'utf8') }
}

/** Written beside and then linked: of two servers that start at the same time, the second reads what the first wrote. */
function writePassword(file: string, { uid, gid }: PostgresUser): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
  if (uid !== undefined && gid !== undefined) chownSync(draft, uid, gid)
  try {
    linkSync(draft, file)
    syncFolder(dirname(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

/** Under another name until it is whole: half a cluster is never taken for one. */
function makeCluster(
  data: string,
  passwordFile: string,
  { binaries, user }: { binaries: Binaries; user: PostgresUser },
): void {
  const draft = `${data}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  const { program, args, ids } = launchAs(user, binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
  ])
  const made = spawnSync(program, args, { ...ids, env: binaries.env, encoding: 'utf8' })
  if (made.status !== 0) {
    rmSync(draft, { recursive: true, force: true })
    throw new EmbeddedError('DID_NOT_START', `PostgreSQL could not make its data folder: ${made.stderr?.trim()}`)
  }
  try {
    renameSync(draft, data)
    syncFolder(dirname(data))
  } catch (error) {
    // Another server was quicker.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(data)) throw error
  }
}

function refuseOtherVersion(data: string, { major }: Binaries): void {
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (made === major) return
  throw new EmbeddedError(
    'OTHER_VERSION',
    `${data} was made by PostgreSQL ${made}, and this release runs ${major}. Nothing was changed: save it with the release that made it (npm run backup), and restore it with this one, or run pg_upgrade.`,
  )
}
