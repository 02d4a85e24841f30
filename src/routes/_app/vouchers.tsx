import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import { VOUCHER_COLUMNS, VOUCHER_FILTERS } from '../../contract/voucher.ts'
import { TABLE_DEFAULTS, tableSearch } from '../../domain/tableState.ts'
import { VouchersPage } from '../../features/vouchers/VouchersPage.tsx'

export const Route = createFileRoute('/_app/vouchers')({
  validateSearch: tableSearch(VOUCHER_COLUMNS, VOUCHER_FILTERS),
  search: { middlewares: [stripSearchParams({ ...TABLE_DEFAULTS, filter: {} })] },
  component: Vouchers,
})

function Vouchers() {
  const state = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <VouchersPage
      state={state}
      onState={(next, replace = false) => void navigate({ search: (now) => ({ ...now, ...next }), replace })}
    />
  )
}
