import { expect, test } from 'vitest'
import { hashPassword } from './passwordHash.ts'

test('a password is hashed with Argon2id, at least 19 MiB, two passes and one lane', async () => {
  const [, kind, , costs = ''] = (await hashPassword('Correct-Horse-2026!')).split('$')
  const cost = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(costs)?.[1])
  expect(kind).toBe('argon2id')
  expect(cost('m')).toBeGreaterThanOrEqual(19_456)
  expect(cost('t')).toBeGreaterThanOrEqual(2)
  expect(cost('p')).toBeGreaterThanOrEqual(1)
})
