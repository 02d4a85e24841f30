import { useCallback, useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import type { TablePage } from '../../contract/tables/tableQuery.ts'
import type { TableState } from '../../domain/tableState.ts'
import { toTableQuery } from '../../domain/viewState.ts'
import { AnswerCache, fetchAndCache, readKey, type CachedAnswer } from '../../offline/reads/cachedRead.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { useStableCallback } from '../../ui/useStableCallback.ts'
import { useUser } from '../accounts/useUser.ts'
import type { AnyRecordList } from './RecordList.ts'

export interface RecordListRead<Row, Q> extends CachedRead<TablePage<Row>> {
  query: Q
  /** Reads another page of the same set before somebody goes there. */
  wantPage: (page: number) => void
  /** That page, when it was read a moment ago. */
  pageAhead: (page: number) => TablePage<Row> | undefined
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
  const [ahead] = useState(() => new AnswerCache<TablePage<Row>>())
  useEffect(() => () => ahead.forget(), [ahead])
  const queryOf = (page: number) => toTableQuery({ ...state, page, filter: { ...state.filter, ...fixed } })
  const keyOf = (page: number) => readKey(`${list.name}.datatable`, queryOf(page))
  const load = (page: number, signal: AbortSignal) => {
    const query = queryOf(page)
    return call(list.table, { ...(list.toUrlQuery ? { query: list.toUrlQuery(query) } : { body: query }), signal })
  }

  const read = useCachedRead(guid, keyOf(state.page), list.table.answer, (signal) => load(state.page, signal), ahead)
  const wantPage = useStableCallback((page: number) => {
    const key = keyOf(page)
    const ask = (signal: AbortSignal): Promise<CachedAnswer<TablePage<Row>>> =>
      fetchAndCache(userStore(guid), key, () => load(page, signal))
    void ahead.want(key, ask)
  })
  const askAgain = read.retry
  const retry = useCallback(() => {
    ahead.forget()
    askAgain()
  }, [ahead, askAgain])
  return {
    ...read,
    retry,
    query: queryOf(state.page),
    wantPage,
    pageAhead: (page) => ahead.young(keyOf(page))?.data,
  }
}
