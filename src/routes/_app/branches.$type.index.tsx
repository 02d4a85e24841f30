import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { requireSubPath } from '../../blocks/page/requireSubPath.ts'
import { useListState } from '../../blocks/tables/useListState.ts'
import { BRANCH_KINDS } from '../../contract/tables/lists.ts'
import { subPath } from '../../domain/paths.ts'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { BranchesPage } from '../../features/branches/BranchesPage.tsx'
import { CreateBranchPage } from '../../features/branches/BranchForms.tsx'

/** One of the lists, or the form for a new branch (rule 16.4). */
export const Route = createFileRoute('/_app/branches/$type/')({
  beforeLoad: ({ params }) => requireSubPath('branches', params.type),
  validateSearch: v.object({
    ...tableSearch('branch').entries,
    /** For `/branches/create`. */
    kind: v.optional(v.fallback(v.picklist(BRANCH_KINDS), 'permanent'), 'permanent'),
  }),
  search: { middlewares: [stripSearchParams({ ...tableDefaults('branch'), kind: 'permanent' })] },
  component: BranchesOfType,
})

function BranchesOfType() {
  const { state, onState } = useListState(Route)
  const { kind, ...list } = state
  const page = subPath('branches', Route.useParams().type)
  if (page?.view !== 'list') return <CreateBranchPage kind={kind} />
  return <BranchesPage key={page.list} name={page.list} state={list} onState={onState} />
}
