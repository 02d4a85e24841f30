import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { day, guid } from '../../contract/fieldSchemas.ts'
import { LOSS_COLUMNS, LOSS_FILTERS, LOSS_STATES } from '../../contract/tables/tableColumns.ts'
import { TABLE_DEFAULTS, tableSearch } from '../../domain/tableState.ts'
import { LossesPage } from '../../features/reports/LossesPage.tsx'

/** What the filters accept. Anything else in a link counts as no filter. */
const FILTER_VALUES = { state: v.picklist(LOSS_STATES), branch: guid, from: day, to: day }

export const Route = createFileRoute('/_app/reports/losses')({
  validateSearch: tableSearch(LOSS_COLUMNS, LOSS_FILTERS, FILTER_VALUES, 'accepted_at'),
  search: { middlewares: [stripSearchParams({ ...TABLE_DEFAULTS, sort: 'accepted_at' })] },
  component: Losses,
})

function Losses() {
  const state = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <LossesPage
      state={state}
      onState={(next, replace = false) => void navigate({ search: (now) => ({ ...now, ...next }), replace })}
    />
  )
}
