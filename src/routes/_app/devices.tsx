import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { guid } from '../../contract/fieldSchemas.ts'
import { DEVICE_COLUMNS, DEVICE_FILTERS, DEVICE_STATES } from '../../contract/tables/tableColumns.ts'
import { TABLE_DEFAULTS, tableSearch } from '../../domain/tableState.ts'
import { DevicesPage } from '../../features/devices/DevicesPage.tsx'

/** What the filters accept. Anything else in a link counts as no filter. */
const FILTER_VALUES = { state: v.picklist(DEVICE_STATES), branch: guid }

export const Route = createFileRoute('/_app/devices')({
  validateSearch: tableSearch(DEVICE_COLUMNS, DEVICE_FILTERS, FILTER_VALUES, 'attention'),
  search: { middlewares: [stripSearchParams({ ...TABLE_DEFAULTS, sort: 'attention' })] },
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
