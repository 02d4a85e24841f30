import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { BranchesPage } from '../../features/branches/BranchesPage.tsx'

export const Route = createFileRoute('/_app/branches/')({
  validateSearch: tableSearch('branch'),
  search: { middlewares: [stripSearchParams(tableDefaults('branch'))] },
  component: Branches,
})

function Branches() {
  const state = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <BranchesPage
      name="all"
      state={state}
      onState={(next, replace = false) => void navigate({ search: (now) => ({ ...now, ...next }), replace })}
    />
  )
}
