import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { ACTIVITY_COLUMNS, ACTIVITY_FILTERS } from '../../contract/tables/tableColumns.ts'
import { TABLE_DEFAULTS, tableSearch } from '../../domain/tableState.ts'
import { ACTIVITY_FILTER_VALUES } from '../../features/activity/activityFilterValues.ts'
import { ActivityPage } from '../../features/activity/ActivityPage.tsx'

const search = v.object({
  ...tableSearch(ACTIVITY_COLUMNS, ACTIVITY_FILTERS, ACTIVITY_FILTER_VALUES).entries,
  // The log is sorted by time only.
  sort: v.optional(v.fallback(v.picklist(ACTIVITY_COLUMNS), 'at'), 'at'),
})

export const Route = createFileRoute('/_app/activity')({
  validateSearch: search,
  search: { middlewares: [stripSearchParams({ ...TABLE_DEFAULTS, sort: 'at', filter: {} })] },
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
