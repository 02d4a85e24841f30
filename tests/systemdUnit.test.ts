import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { findProgram } from './cluster/clusterPrograms.ts'

const analyze = findProgram('systemd-analyze')
const UNIT = resolve(import.meta.dirname, '../deploy/portal.service')

it.skipIf(!analyze)('systemd knows each setting of the unit, and finds it closed', () => {
  // Ends with 1 above an exposure of 2.0. An unknown setting is a warning only.
  const { status, stderr } = spawnSync(analyze!, ['security', '--offline=true', '--threshold=20', UNIT], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})
