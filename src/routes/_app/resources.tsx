import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { useListState } from '../../blocks/tables/useListState.ts'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { ResourcesPage } from '../../features/resources/ResourcesPage.tsx'

export const Route = createFileRoute('/_app/resources')({
  validateSearch: tableSearch('resources'),
  search: { middlewares: [stripSearchParams(tableDefaults('resources'))] },
  component: Resources,
})

function Resources() {
  return <ResourcesPage {...useListState(Route)} />
}
