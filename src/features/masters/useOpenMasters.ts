import { masterApi } from '../../api/business.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { masters } from '../../contract/masters.ts'
import type { TableQuery } from '../../contract/tables/tableQuery.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import type { MasterColumn, MasterFilter } from './masterList.tsx'

const OPEN_MASTERS_QUERY: TableQuery<MasterColumn, MasterFilter> = {
  start: 0,
  limit: 1,
  search_str: '',
  order_by: [],
  other_params: [
    { key: 'status', value: 'Active' },
    { key: 'status', value: 'Pending Activation' },
  ],
}

/** How many masters count towards the limit (spec §9); undefined until known. `recount` after an act. */
export function useOpenMasters(): { open: number | undefined; recount: () => void } {
  const { guid } = useUser()
  const { data, retry } = useCachedRead(guid, 'master.open', masters.datatable.answer, (signal) =>
    masterApi.datatable({ body: OPEN_MASTERS_QUERY, signal }),
  )
  return { open: data?.total, recount: retry }
}
