import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { useListState } from '../../blocks/tables/useListState.ts'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { LossesPage } from '../../features/reports/LossesPage.tsx'

export const Route = createFileRoute('/_app/reports/losses')({
  validateSearch: tableSearch('loss'),
  search: { middlewares: [stripSearchParams(tableDefaults('loss'))] },
  component: Losses,
})

function Losses() {
  return <LossesPage {...useListState(Route)} />
}
