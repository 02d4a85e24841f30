import { EmptyState } from '../../ui/EmptyState.tsx'
import { Button } from '../../ui/Button.tsx'

export function NoPosUsers({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (narrowed) {
    return (
      <EmptyState icon="search" title="No POS user matches" actions={<Button onClick={onClear}>Clear search</Button>} />
    )
  }
  return (
    <EmptyState
      icon="user"
      title="No POS user yet"
      text="A POS user logs in on the tab Point of sale and redeems vouchers. Create one for each till or cashier."
    />
  )
}
