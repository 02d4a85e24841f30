import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { requireSubPath } from '../../blocks/page/requireSubPath.ts'
import { useListState } from '../../blocks/tables/useListState.ts'
import { subPath } from '../../domain/paths.ts'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { EditBranchPage } from '../../features/branches/BranchForms.tsx'
import { BranchPage } from '../../features/branches/BranchPage.tsx'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** True right after the branch was created. */
    isNewBranch?: true
  }
}

/** In `/branches/{id}/view` the id comes before the action (rule 16.4). `/branches/adhoc/{id}` opens the same page. */
export const Route = createFileRoute('/_app/branches/$type/$id')({
  beforeLoad: ({ params }) => requireSubPath('branches', params.type, params.id),
  validateSearch: v.object({
    ...tableSearch('pos').entries,
    tab: v.optional(v.fallback(v.picklist(['details', 'pos']), 'details'), 'details'),
  }),
  search: { middlewares: [stripSearchParams({ ...tableDefaults('pos'), tab: 'details' })] },
  component: Branch,
})

function Branch() {
  const { type, id: last } = Route.useParams()
  const { state, onState } = useListState(Route)
  const { tab, ...pos } = state
  const page = subPath('branches', type, last)
  const id = page && 'id' in page ? page.id : undefined
  if (id === undefined) return null
  if (page?.view === 'edit') return <EditBranchPage key={id} id={id} />
  return (
    <BranchPage
      key={id}
      id={id}
      tab={tab}
      onTab={(next) => onState({ tab: next }, true)}
      pos={{ state: pos, onState }}
    />
  )
}
