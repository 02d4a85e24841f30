import { call } from '../../api/call.ts'
import { FormDialog } from '../../blocks/record/FormDialog.tsx'
import { runAction } from '../../blocks/record/recordActions.ts'
import { BranchField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { moveDevice, renameDevice, revokeDevice, type DeviceRow } from '../../contract/devices/devices.ts'
import { LIMITS } from '../../contract/limits.ts'
import { itemIf } from '../../domain/devices/readiness.ts'
import { formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/quantities.ts'
import { choose } from '../../state/dialogs.ts'
import { TextField } from '../../ui/form/TextField.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'

/** An action on a till that has its own dialog. `add`: makes a code for it, or for a new till. */
export type DeviceAction = { is: 'add'; row?: DeviceRow } | { is: 'rename' | 'move'; row: DeviceRow }

/** Returns the actions that are possible for a till now. */
export function deviceActions(row: DeviceRow, onDo: (action: DeviceAction) => void, onDone: () => void): MenuItem[] {
  const isInUse = row.revoked_at === null
  return [
    ...itemIf(isInUse, { label: 'Rename', onSelect: () => onDo({ is: 'rename', row }) }),
    ...itemIf(isInUse && row.enrolled_at !== null, {
      label: 'Move to another branch',
      onSelect: () => onDo({ is: 'move', row }),
    }),
    ...itemIf(row.enrolled_at === null || !isInUse, { label: 'Enrol', onSelect: () => onDo({ is: 'add', row }) }),
    ...itemIf(row.removal_requested_at === null, {
      label: isInUse ? 'Revoke' : 'Remove what it stores',
      onSelect: () => void revokeTill(row, onDone),
    }),
  ]
}

/** Asks, then revokes the till, with or without removing its stored data. A revoked till can only be asked to remove it. */
async function revokeTill(row: DeviceRow, onDone: () => void): Promise<void> {
  const answer = await choose(row.revoked_at === null ? revokeQuestion(row) : removeQuestion(row))
  if (answer === 'dismiss') return
  const remove = row.revoked_at !== null || answer === 'secondary'
  const revoked = await runAction({
    run: () => call(revokeDevice, { params: { id: row.guid }, body: { remove } }),
    done: remove ? `${row.name} is asked to remove what it stores` : `${row.name} takes no more vouchers`,
  })
  if (revoked) onDone()
}

const revokeQuestion = ({ name, allowance_out_cents: out, unsettled }: DeviceRow) => ({
  title: `Revoke ${name}?`,
  consequence: `It can take no more vouchers. What it redeemed before still counts, is uploaded, and is listed here for you to check.${unsettledWarning(unsettled)}${out > 0 ? ` What it accepted without a check, up to ${formatCents(out)}, is not paid to you: it is listed under Losses.` : ''} For a device that is lost or given away, let it also remove what it stores: lists, pages, drafts and its login, at its next contact.`,
  act: 'Revoke',
  secondary: 'Revoke and remove',
  dismiss: 'Keep',
  destructive: true,
})

function unsettledWarning({ count, cents }: DeviceRow['unsettled']): string {
  if (count === 0) return ''
  const them = count === 1 ? 'it' : 'them'
  return ` It holds ${pluralize(count, 'voucher')}, ${formatCents(cents)}, that nobody has settled. Settle ${them} by hand first if customers paid with ${them}.`
}

const removeQuestion = ({ name }: DeviceRow) => ({
  title: `Remove what ${name} stores?`,
  consequence:
    'At its next contact it uploads what waits, removes lists, pages, drafts and receipts, and logs out. Vouchers that are not uploaded are never removed.',
  act: 'Remove',
  dismiss: 'Keep',
  destructive: true,
})

interface DeviceDialogProps {
  row: DeviceRow
  /** Reads the list again. */
  onChanged: () => void
  onClose: () => void
}

export const RenameDeviceDialog = ({ row, onChanged, onClose }: DeviceDialogProps) => (
  <FormDialog
    title={`Rename ${row.name}`}
    act="Rename"
    schema={renameDevice.body}
    initial={{ name: row.name }}
    send={(body) => call(renameDevice, { params: { id: row.guid }, body })}
    done={({ name }) => {
      onChanged()
      return `${row.name} is ${name} now`
    }}
    onClose={onClose}
  >
    {({ field }) => (
      <>
        <p>New receipts and holds have the new name. The device shows it from its next voucher.</p>
        <TextField label="Name" maxLength={LIMITS.tillNameLength} autoComplete="off" {...field('name')} />
      </>
    )}
  </FormDialog>
)

export const MoveDeviceDialog = ({ row, onChanged, onClose }: DeviceDialogProps) => (
  <FormDialog
    title={`Move ${row.name} to another branch`}
    act="Move"
    schema={moveDevice.body}
    initial={{ branch_guid: '' }}
    send={(body) => call(moveDevice, { params: { id: row.guid }, body })}
    done={({ moved_to }) => {
      onChanged()
      return `${row.name} works at ${moved_to ?? 'the other branch'} now`
    }}
    onClose={onClose}
  >
    {({ field }) => (
      <>
        <p>
          {`It takes no more vouchers for ${row.branch_name}, and needs no code at the other branch. What it redeemed before is still uploaded.`}
        </p>
        <BranchField all="Choose a branch" {...field('branch_guid')} />
      </>
    )}
  </FormDialog>
)
