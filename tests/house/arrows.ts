import type { SourceFile } from './graph.ts'

interface Layer {
  /** Beginning of its paths; the layer with the longest match counts. */
  at: string
  /** Layers it may import besides itself. */
  uses: readonly string[]
  /** Packages it may import; all when missing. */
  packages?: RegExp
}

const RULES_OF_BOTH = ['src/contract', 'src/domain']
const BELOW_BLOCKS = [...RULES_OF_BOTH, 'src/api', 'src/state', 'src/offline', 'src/offline/store', 'src/ui']
const SCREENS = [...BELOW_BLOCKS, 'src/blocks', 'src/features']
/** Modules that every part of the server may use. */
const SERVER_BASE = [
  ...RULES_OF_BOTH,
  'server/log.ts',
  'server/Clock.ts',
  'server/config.ts',
  'server/syncFolder.ts',
  'server/secrets',
]
/** Modules that services may use. */
const SERVER_TOOLS = [...SERVER_BASE, 'server/Deps.ts', 'server/db', 'server/mail', 'server/store', 'server/pdf']

/** The allowed imports. A layer that is not listed is refused. */
const LAYERS: readonly Layer[] = [
  { at: 'src/contract', uses: [], packages: /^valibot$/ },
  { at: 'src/domain', uses: ['src/contract'], packages: /^valibot$/ },
  { at: 'src/api', uses: RULES_OF_BOTH },
  { at: 'src/state', uses: RULES_OF_BOTH },
  { at: 'src/offline/store', uses: RULES_OF_BOTH, packages: /^(dexie|valibot)$/ },
  { at: 'src/offline', uses: [...RULES_OF_BOTH, 'src/offline/store'] },
  { at: 'src/ui', uses: [] },
  { at: 'src/blocks', uses: BELOW_BLOCKS },
  { at: 'src/features', uses: [...BELOW_BLOCKS, 'src/blocks'] },
  { at: 'src/routes', uses: SCREENS },
  { at: 'src/start', uses: SCREENS },
  { at: 'src', uses: [...SCREENS, 'src/routes', 'src/start'] },
  { at: 'sw', uses: [...RULES_OF_BOTH, 'src/offline/store', 'build'] },
  { at: 'prerender', uses: [...SCREENS, 'src/routes'] },
  { at: 'build', uses: [...RULES_OF_BOTH, 'src/offline/store', 'prerender'] },
  { at: 'server/secrets', uses: SERVER_BASE },
  { at: 'server/db', uses: SERVER_BASE },
  { at: 'server/mail', uses: [...SERVER_BASE, 'server/db'] },
  { at: 'server/store', uses: SERVER_BASE },
  { at: 'server/pdf', uses: SERVER_BASE },
  { at: 'server/services', uses: SERVER_TOOLS },
  { at: 'server/http', uses: [...SERVER_TOOLS, 'server/services'] },
  { at: 'server/routes', uses: [...SERVER_BASE, 'server/Deps.ts', 'server/services', 'server/http', 'server/pdf'] },
  { at: 'server', uses: [...SERVER_TOOLS, 'server/services', 'server/http', 'server/routes'] },
]

/** Only layers with these packages write SQL. */
const SQL_PACKAGES = /^(drizzle-orm|pg)(\/|$)/
const SQL_LAYERS = /^server\/(db|backup)\//

const layerOf = (path: string) =>
  LAYERS.filter(({ at }) => path === at || path.startsWith(`${at}/`)).sort((a, b) => b.at.length - a.at.length)[0]

const featureOf = (path: string) => /^src\/features\/[^/]+/.exec(path)?.[0]

/** Imports that break the rules, as `from → to`. */
export function refusedArrows(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) =>
    imports.filter(({ to }) => !isAllowed(path, to)).map(({ to }) => `${path} → ${to}`),
  )
}

function isAllowed(from: string, to: string): boolean {
  const own = layerOf(from)
  if (!own) return false
  if (!isFile(to)) return SQL_PACKAGES.test(to) ? SQL_LAYERS.test(from) : (own.packages?.test(to) ?? true)
  if (featureOf(from) && featureOf(to) && featureOf(from) !== featureOf(to)) return false
  const other = layerOf(to)
  return own.uses.includes(to) || (other !== undefined && (other === own || own.uses.includes(other.at)))
}

const isFile = (to: string) => /^(src|server|sw|build|prerender|tests)\//.test(to) || to.startsWith('.')

/** Circles of imports, including type-only ones, each as the list of its files. */
export function circles(files: readonly SourceFile[]): string[][] {
  const known = new Map(files.map((file) => [file.path, file.imports.filter(({ kind }) => kind !== 'lazy')]))
  const found: string[][] = []
  const done = new Set<string>()
  const walk = (path: string, way: string[]): void => {
    const at = way.indexOf(path)
    if (at >= 0) {
      found.push(way.slice(at))
      return
    }
    if (done.has(path)) return
    for (const { to } of known.get(path) ?? []) walk(to, [...way, path])
    done.add(path)
  }
  for (const path of known.keys()) walk(path, [])
  return found
}
