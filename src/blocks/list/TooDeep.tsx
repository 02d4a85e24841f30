import { LIMITS } from '../../contract/limits.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Button } from '../../ui/Button.tsx'

/** Only a link leads there: the pager ends before. */
export function PageTooDeep({ onFirst }: { onFirst: () => void }) {
  const reach = LIMITS.tableDeepestStart.toLocaleString('en-SG')
  return (
    <EmptyState
      icon="search"
      title="The page is too far back"
      text={`A list is paged up to row ${reach}. Narrow the search to see what lies behind.`}
      actions={<Button onClick={onFirst}>First page</Button>}
    />
  )
}
