import { createFileRoute, stripSearchParams, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { requireSubPath } from '../../blocks/page/requireSubPath.ts'
import { useListState } from '../../blocks/tables/useListState.ts'
import { subPath } from '../../domain/paths.ts'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { BranchPage } from '../../features/branches/BranchPage.tsx'
import { BRANCH_TABS } from '../../features/branches/branchTabs.ts'
import { EditBranchPage } from '../../features/branches/EditBranchPage.tsx'

/** An id comes before its action (rule 16.4): `/branches/{id}/view`. After the name of a list it is the same page: `/branches/adhoc/{id}`. */
export const Route = createFileRoute('/_app/branches/$type/$id')({
  beforeLoad: ({ params }) => requireSubPath('branches', params.type, params.id),
  validateSearch: v.object({
    ...tableSearch('pos').entries,
    tab: v.optional(v.fallback(v.picklist(BRANCH_TABS), 'details'), 'details'),
  }),
  search: { middlewares: [stripSearchParams({ ...tableDefaults('pos'), tab: 'details' })] },
  component: Branch,
})

function Branch() {
  const { type, id: last } = Route.useParams()
  const { tab } = Route.useSearch()
  const pos = useListState<'pos'>()
  const navigate = useNavigate({ from: Route.fullPath })
  const asked = subPath('branches', type, last)
  const id = asked && 'id' in asked ? asked.id : undefined
  if (id === undefined) return null
  if (asked?.view === 'edit') return <EditBranchPage key={id} id={id} />
  return (
    <BranchPage
      key={id}
      {...{ id, tab, pos }}
      onTab={(next) => void navigate({ search: { tab: next }, replace: true })}
    />
  )
}
