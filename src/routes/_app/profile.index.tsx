import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { POS_COLUMNS, POS_FILTERS } from '../../contract/tables/tableColumns.ts'
import { TABLE_DEFAULTS, tableSearch } from '../../domain/tableState.ts'
import { ProfilePage } from '../../features/profile/ProfilePage.tsx'

/** For a branch the page has the table of its POS users. */
export const Route = createFileRoute('/_app/profile/')({
  validateSearch: tableSearch(POS_COLUMNS, POS_FILTERS),
  search: { middlewares: [stripSearchParams(TABLE_DEFAULTS)] },
  component: ProfilePage,
})
