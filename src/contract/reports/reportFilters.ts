import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { Option } from '../tables/tableQuery.ts'
import { cents } from '../wireFields.ts'

const access = { feature: 'reports', action: 'view' } as const

const Denomination = v.object({ denomination_cents: cents })
type Denomination = v.InferOutput<typeof Denomination>

export const denominationOptions = endpoint({
  method: 'GET',
  path: '/filter/transaction/voucher_denomination',
  access,
  summary: 'Denominations of the programme, smallest first',
  answer: v.array(Denomination),
})

export const branchOptions = endpoint({
  method: 'GET',
  path: '/filter/transaction/branch_list',
  access,
  summary: 'Branches of my scope, by name',
  answer: v.array(Option),
})

export const posUserOptions = endpoint({
  method: 'POST',
  path: '/filter/transaction/pos_list',
  access,
  summary: 'POS users of one branch of my scope, by username',
  body: v.strictObject({ branch_guid: guid }),
  answer: v.array(Option),
})
