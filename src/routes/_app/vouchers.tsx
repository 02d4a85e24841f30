import {
  createFileRoute,
  stripSearchParams,
  useNavigate,
  useRouter,
  type SearchSchemaInput,
} from '@tanstack/react-router'
import { useMemo } from 'react'
import * as v from 'valibot'
import { guid } from '../../contract/fieldSchemas.ts'
import { tableDefaults, tableSearch, withLatest, withoutLatest } from '../../domain/tableState.ts'
import { VouchersPage } from '../../features/vouchers/VouchersPage.tsx'

const ID_PLACEHOLDER = '00000000-0000-0000-0000-000000000000'

const search = v.object({
  ...tableSearch('voucher').entries,
  /** The voucher that is open over the table. */
  voucher: v.fallback(v.optional(guid), undefined),
})

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** This history entry opened a voucher over the table, so closing it goes back. */
    overTable?: true
  }
}

export const Route = createFileRoute('/_app/vouchers')({
  validateSearch: (given: v.InferInput<typeof search> & SearchSchemaInput) => withLatest(v.parse(search, given)),
  search: {
    middlewares: [stripSearchParams(tableDefaults('voucher')), ({ search: asked, next }) => withoutLatest(next(asked))],
  },
  component: Vouchers,
})

function Vouchers() {
  const { voucher, ...state } = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  const { buildLocation, history } = useRouter()
  const { q } = state
  const links = useMemo(() => {
    // Built once, because the rows' addresses differ only in the guid. It has no page number, because a change of page must not draw
    // every row again. It has the search text, because another merchant's voucher is found only by its serial.
    const { href } = buildLocation({ to: Route.fullPath, search: { q, voucher: ID_PLACEHOLDER } })
    return {
      hrefOf: (id: string) => href.replace(ID_PLACEHOLDER, id),
      onOpen: (id: string) =>
        void navigate({ search: (now) => ({ ...now, voucher: id }), state: { overTable: true }, resetScroll: false }),
    }
  }, [buildLocation, navigate, q])
  const close = () => {
    // A voucher opened from the table has its own history entry. One opened by a link has no table to go back to.
    if (history.location.state.overTable) history.back()
    else void navigate({ search: (now) => ({ ...now, voucher: undefined }), replace: true, resetScroll: false })
  }
  return (
    <VouchersPage
      state={state}
      onState={(next, replace = false) => void navigate({ search: (now) => ({ ...now, ...next }), replace })}
      opened={voucher}
      links={links}
      onClose={close}
      onScan={(serial) => void navigate({ search: { q: serial } })}
    />
  )
}
