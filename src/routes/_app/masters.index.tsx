import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { MastersPage } from '../../features/masters/MastersPage.tsx'

export const Route = createFileRoute('/_app/masters/')({
  validateSearch: tableSearch('master'),
  search: { middlewares: [stripSearchParams(tableDefaults('master'))] },
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
