import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { useListState } from '../../blocks/tables/useListState.ts'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { DevicesPage } from '../../features/devices/DevicesPage.tsx'

export const Route = createFileRoute('/_app/devices')({
  validateSearch: tableSearch('device'),
  search: { middlewares: [stripSearchParams(tableDefaults('device'))] },
  component: Devices,
})

function Devices() {
  return <DevicesPage {...useListState(Route)} />
}
