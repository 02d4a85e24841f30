import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
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
  expect(readFileSync(join(FOLDER, 'patroni.yml'), 'utf8')).toMatch(/^ +primary_start_timeout: 0$/m)
})
