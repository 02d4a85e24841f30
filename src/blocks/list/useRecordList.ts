import { toTableQuery, type TableState } from '../../domain/tableState.ts'
import { readKey } from '../../offline/page/cachedRead.ts'
import { useCachedRead, type CachedRead } from '../../offline/page/useCachedRead.ts'
import type { TablePage } from '../../contract/tableQuery.ts'
import { useUser } from '../useUser.ts'
import type { ShownList } from './RecordList.ts'

/**
 * One page of a list; the last-seen answer to the very same query is kept for offline. `retry` asks again, after an act too.
 * `fixed` are filters that the screen sets and the person does not see: the branch of a POS user.
 */
export function useRecordList<Row, C extends string, F extends string>(
  list: ShownList<Row, C, F>,
  state: TableState<C, F>,
  fixed: Partial<Record<F, string>> = {},
): CachedRead<TablePage<Row>> & { query: ReturnType<typeof toTableQuery<C, F>> } {
  const { guid } = useUser()
  const query = toTableQuery({ ...state, filter: { ...state.filter, ...fixed } })
  const read = useCachedRead(guid, readKey(`${list.name}.datatable`, query), list.answer, (signal) =>
    list.page({ body: query, signal }),
  )
  return { ...read, query }
}
