import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { ActivityPage } from '../../features/activity/ActivityPage.tsx'

export const Route = createFileRoute('/_app/activity')({
  validateSearch: tableSearch('activity'),
  search: { middlewares: [stripSearchParams(tableDefaults('activity'))] },
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
