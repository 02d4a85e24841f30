import { expect, it } from 'vitest'
import { listAddresses } from '../build/listAddresses.ts'

it('a list that the worker keeps is known by the path of its endpoint, and nothing else is', () => {
  const addresses = listAddresses()
  expect(addresses['/api/filter/transaction/voucher_denomination']).toEqual({ key: 'denominations', isPublic: false })
  expect(addresses['/api/signup/product_service_category/list']).toEqual({
    key: 'productServiceCategories',
    isPublic: true,
  })
  expect(addresses['/api/resources/datatable/merchant']?.key).toBe('resources')
  expect(addresses['/api/account/my_info']).toBeUndefined()
})
