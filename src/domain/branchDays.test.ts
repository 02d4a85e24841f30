import { expect, it } from 'vitest'
import { branchDaysState } from './branches.ts'

const days = { from: '2026-11-20', to: '2026-11-23' }

it('an adhoc branch is open on its first and on its last day, and on no other', () => {
  const states = ['2026-11-19', '2026-11-20', '2026-11-23', '2026-11-24'].map((today) => branchDaysState(days, today))
  expect(states).toEqual(['upcoming', 'open', 'open', 'ended'])
})
