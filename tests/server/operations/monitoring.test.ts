import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect } from 'vitest'
import { metrics } from '../../../server/metrics.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { versionOf } from '../../run/versionOf.ts'
import { it, server } from '../../support/server/serverTest.ts'

const FOLDER = resolve(import.meta.dirname, '../../../deploy/monitoring')
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8')

const rules = read('portal.rules.yml')
const named = (key: 'alert' | 'record') =>
  [...rules.matchAll(/^ +- (alert|record): (\S+)$/gm)].flatMap(([, of, name]) => (of === key ? name! : []))

interface Panel {
  title: string
  targets?: { expr: string }[]
}
const { panels } = JSON.parse(read('portal.dashboard.json')) as { panels: Panel[] }
/** Grafana fills in the interval. */
const drawn = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')))

describe.skipIf(!versionOf('promtool'))('promtool', () => {
  const promtool = (...args: string[]) =>
    execFileSync('promtool', args, { cwd: FOLDER, encoding: 'utf8', stdio: 'pipe' })

  it('accepts the configuration, and the rules do what their own tests say', () => {
    expect(promtool('check', 'config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS')
    expect(promtool('test', 'rules', 'portal.rules.test.yml')).toContain('SUCCESS')
  })

  it('understands what the dashboard asks', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
    const asRules = drawn.map((expr, n) => ({ record: `panel:${n}`, expr }))
    writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups: [{ name: 'dashboard', rules: asRules }] }))
    expect(promtool('check', 'rules', join(folder, 'rules.yml'))).toContain(`${drawn.length} rules found`)
    rmSync(folder, { recursive: true })
  })
})

it('rules and dashboard name only what a server tells, and routes that there are', async () => {
  const told = await metrics(server.deps, { ofProcess: true }).text()
  const known = new Set([...told.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
  for (const record of named('record')) known.add(record)
  const asked = [rules, ...drawn].join('\n')
  const names = [...asked.matchAll(/\b(?:portal|nodejs|process)[_:][\w:]+/g)].map(([name]) => name)
  const ofHistogram = (name: string) => name.replace(/_(?:bucket|count)$/, '')
  expect(names.filter((name) => !known.has(name) && !known.has(ofHistogram(name)))).toEqual([])
  const paths = Object.values(ENDPOINTS).map(({ path }) => path)
  const routes = [...asked.matchAll(/route="([^"]+)"/g)].map(([, route]) => route)
  expect(routes.length).toBeGreaterThan(5)
  for (const route of routes) expect(paths).toContain(route)
})

it('OPERATIONS.md says of each alert what to do', () => {
  const operations = readFileSync(join(FOLDER, '../../docs/OPERATIONS.md'), 'utf8')
  const told = /^## Alerts\n(.*?)^## /ms.exec(operations)![1]!
  const rows = [...told.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  )
  expect(rows.toSorted()).toEqual(named('alert').toSorted())
})
