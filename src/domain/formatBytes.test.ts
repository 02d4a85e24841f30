import { expect, it } from 'vitest'
import { formatBytes } from './quantities.ts'

it('names a size as file managers do', () => {
  expect([0, 999, 84_000, 3_100_000].map(formatBytes)).toEqual(['0 bytes', '999 bytes', '84 KB', '3.1 MB'])
})
