import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { ResourcesPage } from '../../features/resources/ResourcesPage.tsx'

export const Route = createFileRoute('/_app/resources')({
  validateSearch: tableSearch('resources'),
  search: { middlewares: [stripSearchParams(tableDefaults('resources'))] },
  component: Resources,
})

function Resources() {
  const state = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <ResourcesPage
      state={state}
      onState={(next, replace = false) => void navigate({ search: (now) => ({ ...now, ...next }), replace })}
    />
  )
}
