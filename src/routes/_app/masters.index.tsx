import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import { MASTER_COLUMNS, MASTER_FILTERS } from '../../contract/tables/tableColumns.ts'
import { TABLE_DEFAULTS, tableSearch } from '../../domain/tableState.ts'
import { MastersPage } from '../../features/masters/MastersPage.tsx'

export const Route = createFileRoute('/_app/masters/')({
  validateSearch: tableSearch(MASTER_COLUMNS, MASTER_FILTERS),
  search: { middlewares: [stripSearchParams(TABLE_DEFAULTS)] },
  component: Masters,
})

function Masters() {
  const state = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <MastersPage
      state={state}
      onState={(next, replace = false) => void navigate({ search: (now) => ({ ...now, ...next }), replace })}
    />
  )
}
