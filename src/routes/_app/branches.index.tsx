import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { useListState } from '../../blocks/tables/useListState.ts'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { BranchesPage } from '../../features/branches/BranchesPage.tsx'

export const Route = createFileRoute('/_app/branches/')({
  validateSearch: tableSearch('branch'),
  search: { middlewares: [stripSearchParams(tableDefaults('branch'))] },
  component: Branches,
})

function Branches() {
  return <BranchesPage name="all" {...useListState(Route)} />
}
