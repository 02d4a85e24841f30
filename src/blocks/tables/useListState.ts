import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListName } from '../../contract/tables/lists.ts'
import type { TableState } from '../../domain/tableState.ts'
import type { ListState } from './RecordList.ts'

/** The table of the page that is open: what its address says, read by the route's schema, and how that is written. */
export function useListState<N extends ListName>(): ListState<N> {
  const search: unknown = useSearch({ strict: false })
  const navigate = useNavigate()
  const onState = (next: Partial<TableState<N>>, replace = false) =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, ...next }), replace } as never)
  return { state: search as TableState<N>, onState }
}
