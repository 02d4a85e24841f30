import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { useListState } from '../../blocks/tables/useListState.ts'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { ActivityPage } from '../../features/activity/ActivityPage.tsx'

export const Route = createFileRoute('/_app/activity')({
  validateSearch: tableSearch('activity'),
  search: { middlewares: [stripSearchParams(tableDefaults('activity'))] },
  component: Activity,
})

function Activity() {
  return <ActivityPage {...useListState(Route)} />
}
