import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { useListState } from '../../blocks/tables/useListState.ts'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { ProfilePage } from '../../features/profile/ProfilePage.tsx'

/** For a branch the page begins with the table of its POS users. */
export const Route = createFileRoute('/_app/profile/')({
  validateSearch: v.object({
    ...tableSearch('pos').entries,
    tab: v.optional(v.fallback(v.picklist(['pos', 'details']), 'pos'), 'pos'),
  }),
  search: { middlewares: [stripSearchParams({ ...tableDefaults('pos'), tab: 'pos' })] },
  component: Profile,
})

function Profile() {
  const { state, onState } = useListState(Route)
  const { tab, ...pos } = state
  return <ProfilePage tab={tab} onTab={(next) => onState({ tab: next }, true)} pos={{ state: pos, onState }} />
}
