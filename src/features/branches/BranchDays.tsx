import type { BranchRow } from '../../contract/branches.ts'
import { branchDaysState, type BranchDaysState } from '../../domain/branches.ts'
import { formatDayRange, singaporeDay } from '../../domain/singaporeTime.ts'
import { serverNow } from '../../state/auth.ts'

const STATE_LABELS: Record<BranchDaysState, string> = { upcoming: 'Not open yet', open: 'Open', ended: 'Ended' }

/** Shows the days of an adhoc branch, and if it is open. Shows nothing for a permanent branch. */
export function BranchDays({ branch: { from_day, to_day } }: { branch: Pick<BranchRow, 'from_day' | 'to_day'> }) {
  if (from_day === null || to_day === null) return null
  const today = singaporeDay(new Date(serverNow()))
  return (
    <>
      <span>{formatDayRange(from_day, to_day)}</span>
      <span className="text-muted">{` · ${STATE_LABELS[branchDaysState({ from: from_day, to: to_day }, today)]}`}</span>
    </>
  )
}
