import { isNarrowed } from '../../blocks/tables/ListFilters.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Button } from '../../ui/Button.tsx'
import { areDaysReversed } from './ActivityFilters.tsx'
import type { ActivityTableState } from './activityList.tsx'

/** What is missing, and one way out. */
export function NoActivity({ state, onClear }: { state: ActivityTableState; onClear: () => void }) {
  if (!isNarrowed(state)) return <EmptyState icon="list" title="No activity yet" text="What people do appears here." />
  const why = areDaysReversed(state.filter) ? { text: 'The days are the wrong way round.' } : {}
  return (
    <EmptyState
      icon="search"
      title="No act matches"
      {...why}
      actions={<Button onClick={onClear}>Clear search</Button>}
    />
  )
}
