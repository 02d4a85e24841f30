import { expect, it } from 'vitest'
import type { TillRow } from '../../offline/store/till.ts'
import { showTheSame } from './useTillRows.ts'

const ROW: TillRow = {
  id: 'one',
  secret: 's',
  owner: 'o',
  owner_name: 'mei',
  till: 't',
  serial: '2000000000015',
  state: 'confirmed',
  askedAt: 1,
  sent: false,
  attempts: 0,
  nextAt: 0,
  seen: false,
  lost: { reason: 'revoked', at: null },
}

it('what the sender notes changes nothing that is drawn', () => {
  const sent = { ...ROW, sent: true, attempts: 3, nextAt: 9, putOffAt: 8, busyAt: 'uploads' as const }
  expect(showTheSame([sent], [ROW])).toBe(true)
})

it.each<[string, Partial<TillRow>]>([
  ['its state', { state: 'receipted' }],
  ['what was heard', { heard: 'The server cannot be reached.' }],
  ['that somebody has seen it', { seen: true }],
  ['a fact inside another', { lost: { reason: 'revoked', at: '2026-11-27T02:00:00.000Z' } }],
])('a change of %s is drawn', (_, change) => {
  expect(showTheSame([{ ...ROW, ...change }], [ROW])).toBe(false)
  expect(showTheSame([ROW], [{ ...ROW, ...change }])).toBe(false)
})

it('a row more or less is drawn', () => {
  expect(showTheSame([ROW, ROW], [ROW])).toBe(false)
  expect(showTheSame([], [ROW])).toBe(false)
})
