import { describe, expect, it } from 'vitest'
import { listAddresses } from '../build/listAddresses.ts'
import { listAt } from './listAt.ts'

const at = (path: string) => listAt(listAddresses(), new URL(path, 'http://portal.example'))

describe('a reference list kept by the worker', () => {
  it('is known by the path of its endpoint, and nothing else is', () => {
    expect(at('/api/filter/transaction/voucher_denomination')).toEqual({ key: 'denominations', isPublic: false })
    expect(at('/api/signup/product_service_category/list')).toEqual({ key: 'productServiceCategories', isPublic: true })
    expect(at('/api/filter/transaction/branch_list')?.key).toBe('branches')
    expect(at('/api/resources/datatable/merchant')?.key).toBe('resources')
    expect(at('/api/account/my_info')).toBeUndefined()
  })

  it('is the whole list: a search or a later page of it is none', () => {
    expect(at('/api/resources/datatable/merchant?search_str=guide')).toBeUndefined()
  })
})
