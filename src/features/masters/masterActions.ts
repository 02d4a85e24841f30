import { call } from '../../api/call.ts'
import { mailResetLink, resendInvitationItem } from '../../blocks/accounts/accountEmails.ts'
import { deleteItem, statusItem } from '../../blocks/record/recordActions.ts'
import {
  deactivateMaster,
  masters,
  reactivateMaster,
  resetMerchantPassword,
  type MasterRow,
} from '../../contract/masters.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { showLimitRefusal, type WayToMasters } from './accountLimit.ts'

interface MasterMenuActions {
  onEdit: () => void
  /** Reads the list again, after a lost answer too. */
  onChanged: () => void
  wayToMasters: WayToMasters
}

/** What can be done with a master as it stands. */
export function masterMenu(row: MasterRow, { onEdit, onChanged, wayToMasters }: MasterMenuActions): MenuItem[] {
  const { guid, name, branches } = row
  const params = { id: guid }
  const record = {
    noun: 'master',
    name,
    isInactive: row.status === 'Inactive',
    deactivate: () => call(deactivateMaster, { params }),
    reactivate: () => call(reactivateMaster, { params }),
    remove: () => call(masters.remove, { params }),
    consequence: `It is logged out at once and cannot log in until it is re-activated.${fallBackNote(branches)}`,
    // Branches that have fallen back do not come back.
    comesBack: branches === 0,
    refused: showLimitRefusal(wayToMasters),
    onChanged,
  } as const
  const reset = () => mailResetLink(row, () => call(resetMerchantPassword, { params })).then(onChanged)
  const inUse = branches > 0 ? 'It manages branches' : row.last_sign_in_at ? 'It has logged in before' : undefined
  return [
    { label: 'Edit', onSelect: onEdit },
    ...(row.status === 'Pending Activation' ? [resendInvitationItem({ ...row, account: guid }, onChanged)] : []),
    ...(row.status === 'Active' ? [{ label: 'Reset password', onSelect: () => void reset() }] : []),
    statusItem(record),
    deleteItem(record, inUse),
  ]
}

const fallBackNote = (branches: number) => {
  if (branches === 0) return ''
  return branches === 1
    ? ' Its branch falls back to the main account.'
    : ` Its ${branches} branches fall back to the main account.`
}
