import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { DeskError } from '../desk/Desk.ts'

const run = promisify(execFile)

/**
 * Runs pg_dump or pg_restore on the database of `url`. They have to be of the server's own major version: another one refuses, or
 * writes what this server cannot read. Debian keeps each version in a folder of its own; elsewhere the PATH decides.
 * @throws DeskError when there is none, it is of another version, or it fails, with its own words
 */
export async function postgresTool(name: 'pg_dump' | 'pg_restore', major: number, url: string, args: string[]) {
  const debian = `/usr/lib/postgresql/${major}/bin/${name}`
  const tool = existsSync(debian) ? debian : name
  await refuseOtherVersion(tool, major)
  const { place, password } = withoutPassword(url)
  // The list of processes shows arguments to everybody, and the environment to nobody else.
  const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) }
  await run(tool, [...args, `--dbname=${place}`], { env }).catch(({ stderr }: { stderr: string }) => {
    throw new DeskError(`${name} failed: ${stderr.trim()}`)
  })
}

async function refuseOtherVersion(tool: string, major: number): Promise<void> {
  const said = await run(tool, ['--version']).catch(() => undefined)
  if (!said) throw new DeskError(`${tool} is not installed: it comes with the client of PostgreSQL ${major}.`)
  const found = /\) (\d+)/.exec(said.stdout)?.[1]
  if (found !== String(major)) throw new DeskError(`${tool} is of version ${found}, and the server of ${major}.`)
}

function withoutPassword(url: string): { place: string; password: string } {
  const place = new URL(url)
  const password = decodeURIComponent(place.password)
  place.password = ''
  return { place: place.href, password }
}
