import { call } from '../../api/call.ts'
import type { TablePage } from '../../contract/tables/tableQuery.ts'
import type { TableState } from '../../domain/tableState.ts'
import { toTableQuery } from '../../domain/viewState.ts'
import { readKey } from '../../offline/reads/cachedRead.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { useUser } from '../accounts/useUser.ts'
import type { AnyRecordList } from './RecordList.ts'

export interface RecordListRead<Row, Q> extends CachedRead<TablePage<Row>> {
  query: Q
}

/**
 * One page of a list; the last answer to the very same query is cached for offline use. `retry` asks again, after an act too.
 * `fixed` are filters that the screen sets and the person does not see: the branch of a POS user.
 */
export function useRecordList<Row, C extends string, F extends string>(
  list: AnyRecordList<Row, C, F>,
  state: TableState<C, F>,
  fixed: Partial<Record<F, string>> = {},
): RecordListRead<Row, ReturnType<typeof toTableQuery<C, F>>> {
  const { guid } = useUser()
  const query = toTableQuery({ ...state, filter: { ...state.filter, ...fixed } })
  const input = list.toUrlQuery ? { query: list.toUrlQuery(query) } : { body: query }
  const load = (signal: AbortSignal) => call(list.table, { ...input, signal })
  const read = useCachedRead(guid, readKey(`${list.name}.datatable`, query), list.table.answer, load)
  return { ...read, query }
}
