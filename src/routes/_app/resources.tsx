import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import { RESOURCE_COLUMNS } from '../../contract/tables/tableColumns.ts'
import { TABLE_DEFAULTS, tableSearch } from '../../domain/tableState.ts'
import { ResourcesPage } from '../../features/resources/ResourcesPage.tsx'

const FILTERS: readonly never[] = []

export const Route = createFileRoute('/_app/resources')({
  validateSearch: tableSearch(RESOURCE_COLUMNS, FILTERS),
  search: { middlewares: [stripSearchParams(TABLE_DEFAULTS)] },
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
