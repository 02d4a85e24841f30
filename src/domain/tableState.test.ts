import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { tableDefaults, tableSearch } from './tableState.ts'
import { toTableQuery } from './viewState.ts'

const search = tableSearch('voucher')

describe('table state in the URL', () => {
  it('falls back field by field on a broken link', () => {
    const broken = { page: -1, size: 7, q: 'x'.repeat(500), sort: 'password', dir: 'up', filter: { hack: '1' } }
    expect(v.parse(search, broken)).toEqual(tableDefaults('voucher'))
    expect(v.parse(search, { page: 3, sort: 'nope' })).toMatchObject({ page: 3, sort: 'guid' })
  })
  it('reads a serial in a link typed by hand, which looks like a number', () => {
    expect(v.parse(search, { q: 2004839201186 }).q).toBe('2004839201186')
  })
  it('becomes the table query of the spec', () => {
    const state = v.parse(search, { page: 3, size: 25, q: '2004', sort: 'date_used', filter: { denomination: '1000' } })
    expect(toTableQuery(state)).toEqual({
      start: 50,
      limit: 25,
      search_str: '2004',
      order_by: [{ column: 'date_used', sort_type: 'desc' }],
      other_params: [{ key: 'denomination', value: '1000' }],
    })
  })
})
