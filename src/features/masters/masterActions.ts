import { call } from '../../api/call.ts'
import { mailResetLink, resendInvitationItem } from '../../blocks/accounts/accountEmails.ts'
import { runAction, unableToDelete } from '../../blocks/record/runAction.ts'
import {
  deactivateMaster,
  masters,
  reactivateMaster,
  resetMerchantPassword,
  type MasterRow,
} from '../../contract/masters.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { showLimitRefusal, type WayToMasters } from './accountLimit.ts'

type MasterTarget = Pick<MasterRow, 'guid' | 'name' | 'email' | 'branches'>

interface MasterMenuActions {
  onEdit: () => void
  /** Reads the list again, after a lost answer too. */
  onChanged: () => void
  wayToMasters: WayToMasters
}

/** What can be done with a master as it stands. */
export function masterMenu(row: MasterRow, { onEdit, onChanged, wayToMasters }: MasterMenuActions): MenuItem[] {
  const item = (label: string, act: (row: MasterTarget) => Promise<unknown>, hint?: string): MenuItem => ({
    label,
    onSelect: () => void act(row).then(onChanged),
    ...(hint ? { hint, disabled: true } : {}),
  })
  const inUse = row.branches > 0 ? 'It manages branches' : row.last_sign_in_at ? 'It has logged in before' : undefined
  return [
    { label: 'Edit', onSelect: onEdit },
    ...(row.status === 'Pending Activation' ? [resendInvitationItem({ ...row, account: row.guid }, onChanged)] : []),
    ...(row.status === 'Active' ? [item('Reset password', resetPassword)] : []),
    row.status === 'Inactive'
      ? item('Re-activate', reactivate(wayToMasters, onChanged))
      : item('Deactivate', deactivate(wayToMasters, onChanged)),
    item('Delete', remove, inUse),
  ]
}

const fallBackNote = (branches: number) => {
  if (branches === 0) return ''
  return branches === 1
    ? ' Its branch falls back to the main account.'
    : ` Its ${branches} branches fall back to the main account.`
}

const deactivation = ({ guid, name }: MasterTarget) => ({
  run: () => call(deactivateMaster, { params: { id: guid } }),
  done: `${name} deactivated`,
})

const reactivation = ({ guid, name }: MasterTarget, way: WayToMasters) => ({
  run: () => call(reactivateMaster, { params: { id: guid } }),
  done: `${name} re-activated`,
  refused: showLimitRefusal(way),
})

/** Branches that have fallen back do not come back. */
const deactivate = (way: WayToMasters, onChanged: () => void) => (master: MasterTarget) => {
  const { name, branches } = master
  const back = () => runAction(reactivation(master, way)).then(onChanged)
  return runAction({
    ...deactivation(master),
    ...(branches === 0 ? { undo: back } : {}),
    question: {
      title: `Deactivate ${name}?`,
      consequence: `It is logged out at once and cannot log in until it is re-activated.${fallBackNote(branches)}`,
      act: 'Deactivate master',
      wayOut: 'Cancel',
      destructive: true,
    },
  })
}

const reactivate = (way: WayToMasters, onChanged: () => void) => (master: MasterTarget) =>
  runAction({ ...reactivation(master, way), undo: () => runAction(deactivation(master)).then(onChanged) })

const resetPassword = (target: MasterTarget) =>
  mailResetLink(target, () => call(resetMerchantPassword, { params: { id: target.guid } }))

const remove = ({ guid, name }: MasterTarget) =>
  runAction({
    question: {
      title: `Delete ${name}?`,
      consequence: 'This cannot be undone.',
      act: 'Delete master',
      wayOut: 'Cancel',
      destructive: true,
    },
    run: () => call(masters.remove, { params: { id: guid } }),
    done: `${name} deleted`,
    refused: unableToDelete,
  })
