import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { tableDefaults, tableSearch } from '../../domain/tableState.ts'
import { ProfilePage } from '../../features/profile/ProfilePage.tsx'

/** For a branch the page has the table of its POS users. */
export const Route = createFileRoute('/_app/profile/')({
  validateSearch: tableSearch('pos'),
  search: { middlewares: [stripSearchParams(tableDefaults('pos'))] },
  component: ProfilePage,
})
