export type BranchDaysState = 'upcoming' | 'open' | 'ended'

/** Where an adhoc branch stands on a Singapore day: it trades from its first day to its last, both included. */
export function branchDaysState({ from, to }: { from: string; to: string }, today: string): BranchDaysState {
  if (today < from) return 'upcoming'
  return today <= to ? 'open' : 'ended'
}
