import type { ApiError } from '../../api/ApiError.ts'
import { LIMITS } from '../../contract/limits.ts'
import { confirm } from '../../state/dialogs.ts'

/** The button that leads to the page where a master can be deactivated. */
export interface WayToMasters {
  act: string
  go: () => void
}

/** Shows 'Account Limit Exceeded' (rule 7.1). */
export async function showLimitDialog({ act, go }: WayToMasters): Promise<void> {
  const chosen = await confirm({
    title: 'Account Limit Exceeded',
    consequence: `${LIMITS.openMasters} Master accounts are Active or Pending Activation, which is the most allowed. Deactivate one before creating or reactivating another.`,
    act,
    dismiss: 'Close',
    destructive: false,
  })
  if (chosen) go()
}

/** Returns a function that shows the dialog and returns true if the limit was the reason for a refusal. */
export const showLimitRefusal = (way: WayToMasters) => (error: ApiError) => {
  if (error.code !== 'ACCOUNT_LIMIT_EXCEEDED') return false
  void showLimitDialog(way)
  return true
}
