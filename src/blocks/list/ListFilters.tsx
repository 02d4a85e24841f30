import type { ReactNode } from 'react'
import type { TableState } from '../../domain/tableState.ts'
import { Button } from '../../ui/Button.tsx'
import type { ChangeState } from './RecordList.ts'

interface Props<C extends string, F extends string> {
  state: TableState<C, F>
  onState: ChangeState<C, F>
  children: ReactNode
  /** At the right: what is done with the list as a whole. */
  tools?: ReactNode
}

export const isNarrowed = ({ q, filter }: Pick<TableState, 'q' | 'filter'>): boolean =>
  q !== '' || Object.values(filter).some(Boolean)

/** Back to the whole list, in the order it had. */
export const WHOLE = { q: '', filter: {}, page: 1 } as const

/** Above a table: search and filters, the way back to the whole list, and the list's tools. */
export function ListFilters<C extends string, F extends string>({ state, onState, children, tools }: Props<C, F>) {
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      {children}
      {isNarrowed(state) && (
        <Button variant="quiet" onClick={() => onState(WHOLE)}>
          Clear
        </Button>
      )}
      {tools && <div className="tools">{tools}</div>}
    </form>
  )
}
