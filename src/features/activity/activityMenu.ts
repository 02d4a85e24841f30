import type { ActivityRow } from '../../contract/activity/activity.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import type { ActivityFilter } from './activityList.tsx'
import { subjectNoun } from './subjectNouns.ts'

interface ActivityMenuActions {
  onOpen: () => void
  /** Narrows the log to this alone. */
  onOnly: (filter: ActivityFilter, value: string) => void
}

/** From one act to what else there is of its person or of its record. */
export function activityMenu(
  { actor_guid, subject }: ActivityRow,
  { onOpen, onOnly }: ActivityMenuActions,
): MenuItem[] {
  const about = `${subject.type}:${subject.id}`
  return [
    { label: 'View details', onSelect: onOpen },
    ...(actor_guid ? [{ label: 'All by this person', onSelect: () => onOnly('actor', actor_guid) }] : []),
    { label: `All about this ${subjectNoun(subject.type)}`, onSelect: () => onOnly('subject', about) },
  ]
}
