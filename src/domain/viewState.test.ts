import { describe, expect, it } from 'vitest'
import { openedState, savedState, showsSame, type ViewState } from './viewState.ts'

const NOW = new Date('2026-11-22T15:59:00Z')
/** A minute later it is the 23rd in Singapore. */
const LATER = new Date('2026-11-22T16:00:00Z')
const TODAY: ViewState = {
  q: '',
  filter: { used_from: 'today', used_to: 'today' },
  sort: 'guid',
  dir: 'desc',
  size: 10,
}

describe('the state of a view', () => {
  it('opens "today" as the Singapore day it is then', () => {
    expect(openedState(TODAY, NOW).filter).toEqual({ used_from: '2026-11-22', used_to: '2026-11-22' })
    expect(openedState(TODAY, LATER).filter).toEqual({ used_from: '2026-11-23', used_to: '2026-11-23' })
  })

  it('is saved with today as "today", and with any other day as that day', () => {
    const shown = { ...TODAY, filter: { used_from: '2026-11-21', used_to: '2026-11-22', status: 'Used' } }
    expect(savedState(shown, NOW).filter).toEqual({ used_from: '2026-11-21', used_to: 'today', status: 'Used' })
  })

  it('is the same whatever the order of its filters, and empty ones are none', () => {
    const one = openedState(TODAY, NOW)
    const other = { ...one, filter: { used_to: '2026-11-22', status: '', used_from: '2026-11-22' } }
    expect(showsSame(one, other)).toBe(true)
    expect(showsSame(one, { ...other, size: 25 })).toBe(false)
  })
})
