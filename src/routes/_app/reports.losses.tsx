import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { LossesPage } from '../../features/reports/LossesPage.tsx'

export const Route = createFileRoute('/_app/reports/losses')({
  validateSearch: tableSearch('loss'),
  search: { middlewares: [stripSearchParams(tableDefaults('loss'))] },
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
