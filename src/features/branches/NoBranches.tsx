import { isNarrowed } from '../../blocks/tables/ListFilters.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Button } from '../../ui/Button.tsx'
import type { BranchListName, BranchTableState } from './branchList.tsx'

const EMPTY_TITLES: Record<BranchListName, string> = {
  all: 'No branch yet',
  master: 'No master manages a branch yet',
  adhoc: 'No adhoc branch yet',
}

const EMPTY_TEXTS: Record<BranchListName, string> = {
  all: 'Vouchers are redeemed at branches. Create one, then its POS users.',
  master: 'A branch is given to a master in its form.',
  adhoc: 'For an event: a branch that takes vouchers from its first day to its last.',
}

/** What is missing, and one way out. */
export function NoBranches(props: { name: BranchListName; state: BranchTableState; onClear: () => void }) {
  const { name, state, onClear } = props
  if (isNarrowed(state) || state.page > 1) {
    return (
      <EmptyState icon="search" title="No branch matches" actions={<Button onClick={onClear}>Clear search</Button>} />
    )
  }
  return <EmptyState icon="store" title={EMPTY_TITLES[name]} text={EMPTY_TEXTS[name]} />
}
