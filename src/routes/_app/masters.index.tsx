import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { useListState } from '../../blocks/tables/useListState.ts'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { MastersPage } from '../../features/masters/MastersPage.tsx'

export const Route = createFileRoute('/_app/masters/')({
  validateSearch: tableSearch('master'),
  search: { middlewares: [stripSearchParams(tableDefaults('master'))] },
  component: Masters,
})

function Masters() {
  return <MastersPage {...useListState(Route)} />
}
