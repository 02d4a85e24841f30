import type { MasterRow } from '../../../src/contract/masters.ts'
import type { MASTER_COLUMNS, MASTER_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import { masterTable, type FoundMaster } from '../../db/masters.ts'
import type { Listing } from '../tables/readTable.ts'

/** Who was not given a name is known by the email. */
export const masterName = ({ name, email }: Pick<FoundMaster, 'name' | 'email'>): string => name ?? email

export const masterRow = (found: FoundMaster): MasterRow => ({
  guid: found.id,
  name: masterName(found),
  email: found.email,
  status: found.status,
  branches: found.branches,
  last_sign_in_at: found.lastSignInAt?.toISOString() ?? null,
  invited_at: found.invitedAt?.toISOString() ?? null,
  created_at: found.createdAt.toISOString(),
})

export const masterListing: Listing<
  FoundMaster,
  MasterRow,
  (typeof MASTER_COLUMNS)[number],
  (typeof MASTER_FILTERS)[number]
> = {
  table: masterTable,
  rowOf: masterRow,
  listOrder: [{ column: 'name', sort_type: 'asc' }],
  nameOf: masterName,
  title: 'Masters',
}
