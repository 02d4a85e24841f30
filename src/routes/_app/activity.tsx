import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import { day, guid } from '../../contract/fieldSchemas.ts'
import { ACTIVITY_COLUMNS, ACTIVITY_FILTERS } from '../../contract/tables/tableColumns.ts'
import { TABLE_DEFAULTS, tableSearch } from '../../domain/tableState.ts'
import { ActivityPage } from '../../features/activity/ActivityPage.tsx'

/** What the filters accept. Anything else in a link counts as no filter. The page, which is loaded later, knows the acts. */
const FILTER_VALUES = { from: day, to: day, actor: guid, branch: guid }

export const Route = createFileRoute('/_app/activity')({
  // The log is sorted by time only.
  validateSearch: tableSearch(ACTIVITY_COLUMNS, ACTIVITY_FILTERS, FILTER_VALUES, 'at'),
  search: { middlewares: [stripSearchParams({ ...TABLE_DEFAULTS, sort: 'at' })] },
  component: Activity,
})

function Activity() {
  const state = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <ActivityPage
      state={state}
      onState={(next, replace = false) => void navigate({ search: (now) => ({ ...now, ...next }), replace })}
    />
  )
}
