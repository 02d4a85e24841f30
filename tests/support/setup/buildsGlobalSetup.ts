import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { IS_SHORT_FORM } from '../browser/accessibility.ts'
import { build, BUILD_IDS, pickApiOrigins } from '../browser/builds.ts'

const SPECS = resolve(import.meta.dirname, '../../e2e')

/** Builds the releases. The short form leaves out the drill, which it does not test. */
export default async function buildsGlobalSetup(): Promise<void> {
  // `npm test` has built them in an earlier check (tests/run/checks.ts).
  if (process.env['BUILDS'] === 'made') return
  await pickApiOrigins()
  if (!specsServeOtherReleases()) return build('1')
  await Promise.all(BUILD_IDS.filter((id) => id !== 'drill' || !IS_SHORT_FORM).map((id) => build(id)))
}

/** Returns true if the specs on the command line need other releases. Most need only the first, and the other builds take most of the time. */
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
