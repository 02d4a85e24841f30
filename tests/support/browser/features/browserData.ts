import { createRequire } from 'node:module'
import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data/types'
import { OLDEST_BROWSERS } from '../../../../build/browsers.ts'

/** MDN's tables: which version of which browser has what. Required, because Vitest would make a module of twenty megabytes. */
export const browserData = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData

const NAMES = {
  chrome: ['chrome', 'chrome_android'],
  edge: ['edge'],
  firefox: ['firefox', 'firefox_android'],
  safari: ['safari'],
  ios_saf: ['safari_ios'],
} as const

const OLDEST = OLDEST_BROWSERS.flatMap(([browser, version]) =>
  NAMES[browser as keyof typeof NAMES].map((name) => ({ name, version })),
)

/** Whether one of the oldest supported browsers lacks it. What is there but differs counts as there: no test can ask for it. */
export const isNewer = ({ support }: CompatStatement, prefixes: readonly string[] = []): boolean =>
  OLDEST.some(({ name, version }) => {
    const statements = [support[name] ?? []].flat()
    return !statements.some(
      ({ version_added: since, version_removed: until, flags, prefix, alternative_name: otherName }) =>
        since !== false &&
        since !== 'preview' &&
        isUpTo(since, version) &&
        (!until || !isUpTo(until, version)) &&
        flags === undefined &&
        otherName === undefined &&
        (prefix === undefined || prefixes.includes(prefix)),
    )
  })

/** Those that there are, and none of them is in every browser. */
export function areNewer(features: readonly (Identifier | undefined)[], prefixes?: readonly string[]): boolean {
  const statements = features.flatMap((feature) => feature?.__compat ?? [])
  return statements.length > 0 && statements.every((statement) => isNewer(statement, prefixes))
}

function isUpTo(since: string, version: string): boolean {
  const [major = 0, minor = 0] = since.replace('≤', '').split('.').map(Number)
  const [ourMajor = 0, ourMinor = 0] = version.split('.').map(Number)
  return major < ourMajor || (major === ourMajor && minor <= ourMinor)
}

export const membersOf = (group: Identifier): [string, Identifier][] =>
  (Object.entries(group) as [string, Identifier][]).filter(([name]) => name !== '__compat')
