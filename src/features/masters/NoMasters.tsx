import { EmptyState } from '../../ui/EmptyState.tsx'
import { Button } from '../../ui/Button.tsx'

export function NoMasters({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (narrowed) {
    return (
      <EmptyState icon="search" title="No master matches" actions={<Button onClick={onClear}>Clear search</Button>} />
    )
  }
  return (
    <EmptyState
      icon="masters"
      title="No master yet"
      text="A master logs in on its own and manages the branches you assign to it."
    />
  )
}
