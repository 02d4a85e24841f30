import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { EmbeddedError } from './EmbeddedError.ts'

/** As whom the programs of PostgreSQL run. They refuse to be root. */
export interface PostgresUser {
  /** Program and arguments to put in front of each of them. */
  prefix: readonly string[]
  uid?: number
  gid?: number
}

/** How to start a program as this user: what to run, and options for `child_process`. */
export function launchAs({ prefix, uid, gid }: PostgresUser, program: string, args: readonly string[]) {
  const [first = program, ...rest] = [...prefix, program, ...args]
  return { program: first, args: rest, ids: uid === undefined || gid === undefined ? {} : { uid, gid } }
}

/** In a user namespace of its own the process is user 1000 to itself, and its files are root's to everybody else. */
const USER_NAMESPACE = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']

const canUnshare = () => spawnSync('unshare', [...USER_NAMESPACE.slice(1), 'true']).status === 0

interface Needs {
  hasNamespaces?: boolean | undefined
  /** What that user has to be able to run. A portal below /root is closed to others. */
  program?: string
}

/**
 * The user for PostgreSQL: whoever runs us; for root a user namespace, else the system's user `postgres` or `nobody`. `folder`
 * and what is in it will belong to that user.
 * @param folder exists; its parent is DATA_DIR
 * @throws EmbeddedError ROOT_REFUSED
 */
export function postgresUser(folder: string, { hasNamespaces, program }: Needs = {}): PostgresUser {
  if (process.getuid?.() !== 0) return { prefix: [] }
  const user: PostgresUser =
    (hasNamespaces ?? canUnshare()) ? { prefix: USER_NAMESPACE } : { prefix: [], ...otherUser() }
  if (program && !canReach(program, user)) throw rootRefused(`and user ${user.uid} cannot reach ${program}`)
  give(folder, user)
  return user
}

function otherUser(): { uid: number; gid: number } {
  const id = (flag: string, name: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || NaN)
  const found = ['postgres', 'nobody']
    .map((name) => ({ uid: id('-u', name), gid: id('-g', name) }))
    .find(({ uid, gid }) => uid > 0 && gid > 0)
  if (!found) throw rootRefused('and this system has no user postgres or nobody')
  return found
}

const canReach = (path: string, { uid = 0, gid = 0 }: PostgresUser): boolean =>
  uid === 0 || spawnSync('test', ['-x', path], { uid, gid }).status === 0

/** Only when it belongs to another one: a folder may come from a machine with other means. */
function give(folder: string, user: PostgresUser): void {
  const { uid = 0, gid = 0 } = user
  if (statSync(folder).uid !== uid) spawnSync('chown', ['-R', `${uid}:${gid}`, folder])
  if (canReach(folder, user)) return
  // DATA_DIR is closed to others. Its group may pass through it, without seeing what else is there.
  chownSync(dirname(folder), 0, gid)
  chmodSync(dirname(folder), 0o710)
  if (!canReach(folder, user)) throw rootRefused(`and user ${uid} cannot reach ${folder}`)
}

const rootRefused = (why: string) =>
  new EmbeddedError(
    'ROOT_REFUSED',
    `PostgreSQL does not run as root, ${why}: start the portal as another user, set another DATA_DIR, or set DATABASE_URL.`,
  )
