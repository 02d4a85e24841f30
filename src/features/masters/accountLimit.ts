import type { ApiError } from '../../api/ApiError.ts'
import { LIMITS } from '../../contract/limits.ts'
import { confirm } from '../../state/dialogs.ts'

/** Where to deactivate one: the button's words, and what it does. */
export interface WayToMasters {
  act: string
  go: () => void
}

/** 'Account Limit Exceeded' (rule 7.1). */
export async function showLimitDialog({ act, go }: WayToMasters): Promise<void> {
  const chosen = await confirm({
    title: 'Account Limit Exceeded',
    consequence: `${LIMITS.openMasters} Master accounts are Active or Pending Activation, which is the most allowed. Deactivate one before creating or reactivating another.`,
    act,
    wayOut: 'Close',
    destructive: false,
  })
  if (chosen) go()
}

/** For an act or a form that the limit refused; `false` for any other refusal. */
export const showLimitRefusal = (way: WayToMasters) => (error: ApiError) => {
  if (error.code !== 'ACCOUNT_LIMIT_EXCEEDED') return false
  void showLimitDialog(way)
  return true
}
