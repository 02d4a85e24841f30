import { describe, expect, it } from 'vitest'
import type { ViewState } from '../contract/views.ts'
import { openedState, readViewState, savedState, showsSame } from './viewState.ts'

const NOW = new Date('2026-11-22T15:59:00Z')
/** A minute later it is the 23rd in Singapore. */
const LATER = new Date('2026-11-22T16:00:00Z')
const TODAY: ViewState = {
  q: '',
  filter: { used_from: 'today', used_to: 'today' },
  sort: 'guid',
  dir: 'desc',
  size: 10,
  hidden: [],
}

describe('the state of a view', () => {
  it('opens "today" as the Singapore day it is then', () => {
    expect(openedState(TODAY, NOW).filter).toEqual({ used_from: '2026-11-22', used_to: '2026-11-22' })
    expect(openedState(TODAY, LATER).filter).toEqual({ used_from: '2026-11-23', used_to: '2026-11-23' })
  })

  it('keeps "today" when a view is saved from one that says so, and a day that was chosen as that day', () => {
    const shown = {
      ...openedState(TODAY, NOW),
      filter: { used_from: '2026-11-22', used_to: '2026-11-21', status: 'Used' },
    }
    expect(savedState(shown, [], TODAY, NOW).filter).toEqual({
      used_from: 'today',
      used_to: '2026-11-21',
      status: 'Used',
    })
    expect(savedState(shown, ['branch'], undefined, NOW)).toMatchObject({
      filter: { used_from: '2026-11-22' },
      hidden: ['branch'],
    })
  })

  it.each([
    ['nothing', undefined],
    ['text', 'x'],
    ['a list', []],
    ['wrong values', { q: 7, filter: { status: 3 }, sort: 'gone', dir: 'up', size: 11, hidden: 'branch' }],
    ['another list', { filter: { account_status: 'Active' }, sort: 'code', hidden: ['pos_users'] }],
  ])('is the whole list where the row holds %s', (_, stored) => {
    expect(readViewState('voucher', stored)).toEqual({ ...TODAY, filter: {} })
    expect(readViewState('a list that there is not', stored)).toMatchObject({ sort: 'guid', filter: {} })
  })

  it('is the same whatever the order of its filters, and empty ones are none', () => {
    const one = openedState(TODAY, NOW)
    const other = { ...one, filter: { used_to: '2026-11-22', status: '', used_from: '2026-11-22' } }
    expect(showsSame(one, other)).toBe(true)
    expect(showsSame(one, { ...other, size: 25 })).toBe(false)
  })
})
