import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { IS_SHORT_FORM } from '../browser/accessibility.ts'
import { build, BUILD_IDS, pickApiOrigins } from '../browser/builds.ts'

const SPECS = resolve(import.meta.dirname, '../../e2e')

/** The short form has no test of the drill. */
export default async function buildsGlobalSetup(): Promise<void> {
  // By the check before this one, in `npm test` (tests/run/checks.ts).
  if (process.env['BUILDS'] === 'made') return
  await pickApiOrigins()
  if (!specsServeOtherReleases()) return build('1')
  await Promise.all(BUILD_IDS.filter((id) => id !== 'drill' || !IS_SHORT_FORM).map((id) => build(id)))
}

/** For the specs that the command line picks. Most stay with the first release, and the others are most of the wait for one screen. */
function specsServeOtherReleases(): boolean {
  const picks = process.argv
    .slice(2)
    .filter((arg) => !/^(-|\d+$|test$)/.test(arg))
    .map((arg) => new RegExp(arg.replace(/(:\d+)+$/, '')))
  const specs = readdirSync(SPECS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => join(SPECS, path))
  const picked = specs.filter((path) => picks.some((pick) => pick.test(path)))
  return (
    picked.length === 0 || picked.some((path) => /deploy\(|buildDirectory|updates\.ts/.test(readFileSync(path, 'utf8')))
  )
}
