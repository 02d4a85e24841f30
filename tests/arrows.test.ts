import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const OXLINT = join(ROOT, 'node_modules/.bin/oxlint')

/** One file of every place that has a rule of its own. */
const PLACES = {
  contract: 'src/contract/planted.ts',
  domain: 'src/domain/planted.ts',
  api: 'src/api/planted.ts',
  store: 'src/offline/store/planted.ts',
  page: 'src/offline/page/planted.ts',
  state: 'src/state/planted.ts',
  ui: 'src/ui/planted.ts',
  blocks: 'src/blocks/planted.ts',
  feature: 'src/features/vouchers/planted.ts',
  featureFolder: 'src/features/vouchers/table/planted.ts',
  sibling: 'src/features/reports/planted.ts',
  routes: 'src/routes/planted.ts',
  main: 'src/main.tsx',
  sw: 'sw/planted.ts',
  server: 'server/planted.ts',
  serverRoutes: 'server/routes/planted.ts',
  tests: 'tests/planted.ts',
} as const
type Place = keyof typeof PLACES

const BELOW_FEATURES = ['contract', 'domain', 'api', 'store', 'page', 'state', 'ui', 'blocks'] as const

/** Who may import whom, read from left to right; whatever is not listed is refused. */
const MAY_IMPORT: Record<Exclude<Place, 'tests'>, readonly Place[]> = {
  contract: [],
  domain: ['contract'],
  api: ['contract', 'domain'],
  store: ['contract', 'domain'],
  page: ['contract', 'domain', 'store'],
  state: ['contract', 'domain'],
  ui: [],
  blocks: ['contract', 'domain', 'api', 'store', 'page', 'state', 'ui'],
  feature: [...BELOW_FEATURES, 'featureFolder'],
  featureFolder: [...BELOW_FEATURES, 'feature'],
  sibling: BELOW_FEATURES,
  routes: [...BELOW_FEATURES, 'feature', 'featureFolder', 'sibling'],
  main: [...BELOW_FEATURES, 'feature', 'featureFolder', 'sibling', 'routes'],
  sw: ['contract', 'domain', 'store'],
  server: ['contract', 'domain', 'serverRoutes'],
  serverRoutes: ['contract', 'domain', 'server'],
}

/** Packages beyond which the two lowest layers may not reach. */
const PURE = ['contract', 'domain'] as const

const specifierFrom = (from: string, to: string) => {
  const path = posix.relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

interface Diagnostic {
  code: string
  filename: string
  labels: { span: { line: number } }[]
}

/** Writes `sources` (path -> import specifiers, one a line) under the real rules; answers what `rule` refused, as `path <- specifier`. */
function refused(sources: Map<string, string[]>, rule = 'no-restricted-imports'): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), 'arrows-'))
  try {
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    for (const [path, specifiers] of sources) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), specifiers.map((specifier) => `import '${specifier}'\n`).join(''))
    }
    const run = spawnSync(OXLINT, ['--format=json', '.'], { cwd: folder, encoding: 'utf8' })
    const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: Diagnostic[] }
    const found = diagnostics.filter(({ code }) => code.includes(rule))
    return new Set(
      found.map(({ filename, labels }) => {
        const path = posix.normalize(filename)
        const line = labels[0]?.span.line ?? 0
        return `${path} <- ${sources.get(path)?.[line - 1]}`
      }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const places = Object.keys(PLACES) as Place[]
const importers = Object.keys(MAY_IMPORT) as (keyof typeof MAY_IMPORT)[]

describe('the arrows of the house', () => {
  let bites: Set<string>
  beforeAll(() => {
    const planted = new Map<string, string[]>()
    for (const from of importers) {
      const targets = places.filter((to) => to !== from).map((to) => specifierFrom(PLACES[from], PLACES[to]))
      planted.set(PLACES[from], [...targets, 'valibot', 'react'])
    }
    bites = refused(planted)
  })

  for (const from of importers) {
    for (const to of places.filter((place) => place !== from)) {
      const allowed = MAY_IMPORT[from].includes(to)
      it(`${PLACES[from]} ${allowed ? 'may' : 'may not'} import ${PLACES[to]}`, () => {
        expect(bites.has(`${PLACES[from]} <- ${specifierFrom(PLACES[from], PLACES[to])}`)).toBe(!allowed)
      })
    }
  }

  it.each(PURE)('src/%s knows valibot and no other package', (place) => {
    expect(bites).toContain(`${PLACES[place]} <- react`)
    expect(bites).not.toContain(`${PLACES[place]} <- valibot`)
  })
})

it('refuses a circle of imports', () => {
  const circle = new Map([
    ['src/state/first.ts', ['./second.ts']],
    ['src/state/second.ts', ['./first.ts']],
  ])
  expect(refused(circle, 'no-cycle')).toContain('src/state/first.ts <- ./second.ts')
})

function sourceFiles(folder: string): string[] {
  const found = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return found
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => posix.join(folder, name))
}

describe('the real tree', () => {
  it('has no folder of src without a rule', () => {
    const known = new Set(Object.values(PLACES).map((path) => path.split('/').slice(0, 2).join('/')))
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map(({ name }) => `src/${name}`).filter((folder) => !known.has(folder))).toEqual([])
  })

  // Lint reads `import('…')` in some positions only, so every dynamic import is judged as if it were a static one.
  it('keeps the arrows in dynamic imports too', () => {
    const dynamic = new Map<string, string[]>()
    for (const path of ['src', 'sw', 'server'].flatMap(sourceFiles)) {
      const text = readFileSync(join(ROOT, path), 'utf8')
      const specifiers = [...text.matchAll(/\bimport\(\s*'([^']+)'/g)].map((match) => match[1] ?? '')
      if (specifiers.length > 0) dynamic.set(path, specifiers)
    }
    dynamic.set(PLACES.state, [specifierFrom(PLACES.state, PLACES.api)])
    expect([...refused(dynamic)]).toEqual([`${PLACES.state} <- ../api/planted.ts`])
  })
})
