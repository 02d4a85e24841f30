import { call } from '../../api/call.ts'
import type { ListName } from '../../contract/tables/lists.ts'
import type { TablePage, TableQuery } from '../../contract/tables/tableQuery.ts'
import type { TableState } from '../../domain/tableState.ts'
import { toTableQuery } from '../../domain/viewState.ts'
import { readKey } from '../../offline/reads/cachedRead.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { useUser } from '../accounts/useUser.ts'
import type { RecordList } from './RecordList.ts'

export interface RecordListRead<Row, Q> extends CachedRead<TablePage<Row>> {
  query: Q
}

/**
 * Reads one page of a list. The last answer to the same query is cached for offline use. `retry` reads again, also after an
 * action. `fixed` are filters that the screen sets and nobody sees, such as the branch of POS users.
 */
export function useRecordList<Row, N extends ListName>(
  list: RecordList<Row, N>,
  state: TableState<N>,
  fixed: TableState<N>['filter'] = {},
): RecordListRead<Row, TableQuery<N>> {
  const { guid } = useUser()
  const query = toTableQuery({ ...state, filter: { ...state.filter, ...fixed } })
  const input = list.toUrlQuery ? { query: list.toUrlQuery(query) } : { body: query }
  // Each list has its own type of query, and the compiler cannot tell which list this is.
  const load = (signal: AbortSignal) => call(list.table, { ...input, signal } as never)
  const read = useCachedRead(guid, readKey(`${list.name}.datatable`, query), list.table.answer, load)
  return { ...read, query }
}
