import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { DevicesPage } from '../../features/devices/DevicesPage.tsx'

export const Route = createFileRoute('/_app/devices')({
  validateSearch: tableSearch('device'),
  search: { middlewares: [stripSearchParams(tableDefaults('device'))] },
  component: Devices,
})

function Devices() {
  const state = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <DevicesPage
      state={state}
      onState={(next, replace = false) => void navigate({ search: (now) => ({ ...now, ...next }), replace })}
    />
  )
}
