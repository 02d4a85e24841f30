import { useSnapshot } from 'valtio/react'
import { columnChoice } from '../../../state/columnChoice.ts'
import { useViews } from '../../views/savedViews.ts'

const isSaved = (view: string | undefined): view is string => view !== undefined && view.length === 36

/** Where the choice of columns lies on this device: a saved view has its own. */
export const columnsKey = (list: string, view: string | undefined): string => (isSaved(view) ? `${list}#${view}` : list)

/** Columns that are off in a table now: chosen here, or said by the view that is open. */
export function useHiddenColumns(list: string, view: string | undefined): readonly string[] | undefined {
  const { hidden } = useSnapshot(columnChoice)
  const { views } = useViews()
  const open = isSaved(view) ? views?.find(({ guid }) => guid === view) : undefined
  return hidden[columnsKey(list, view)] ?? open?.state.hidden
}
