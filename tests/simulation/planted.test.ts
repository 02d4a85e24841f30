import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const PATCHES = join(import.meta.dirname, 'planted')

it.each(readdirSync(PATCHES))('can still be planted: %s', (patch) => {
  const { stderr } = spawnSync('git', ['apply', '--check', join(PATCHES, patch)], { encoding: 'utf8' })
  expect(stderr).toBe('')
})
