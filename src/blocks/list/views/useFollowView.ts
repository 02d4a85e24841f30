import { useEffect, useEffectEvent, useRef } from 'react'
import type { ViewList } from '../../../contract/viewLists.ts'
import type { TableState } from '../../../domain/tableState.ts'
import { openedState, showsSame, defaultViewState } from '../../../domain/viewState.ts'
import { defaultOf, serverDate, type OpenView, type TableView } from '../../views/useTableView.ts'

/** Opens a view in the URL, which stays the one place of the state. */
export type Open = (view: OpenView, replace: boolean) => void

export const tableStateOf = ({ id, state }: OpenView) => ({ ...openedState(state, serverDate()), page: 1, view: id })

const isWholeOf = (list: ViewList) => (state: TableState) =>
  showsSame(state, defaultViewState(list)) && state.page === 1

/**
 * A link that names a view alone is written out, and a list that is opened with nothing in its URL opens with the default. Both take
 * the place of the step that led here: Back leaves the list. Each happens once, so that what is cleared by hand stays so.
 */
export function useOpenViewFromUrl(
  list: ViewList,
  state: TableState,
  { all, open, known }: TableView,
  onOpen: Open,
): void {
  const isWhole = isWholeOf(list)
  const arriving = useRef(true)
  const writtenOut = useRef<string>(undefined)
  const follow = useEffectEvent(() => {
    if (open && writtenOut.current !== open.id) {
      writtenOut.current = open.id
      if (isWhole(state) && !isWhole({ ...state, ...tableStateOf(open) })) onOpen(open, true)
    }
    if (state.view !== undefined || !isWhole(state)) arriving.current = false
    if (!arriving.current || !known) return
    arriving.current = false
    const usual = defaultOf(all)
    if (usual) onOpen(usual, true)
  })
  const place = JSON.stringify([state.view, state.q, state.filter, state.page])
  const isThere = open !== undefined
  useEffect(() => follow(), [place, known, isThere])
}
