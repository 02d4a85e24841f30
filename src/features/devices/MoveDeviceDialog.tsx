import { useId } from 'react'
import { call } from '../../api/call.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../../blocks/record/FormDialogActions.tsx'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { BranchField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { moveDevice, type DeviceRow } from '../../contract/devices/devices.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'

interface Props {
  row: DeviceRow
  onMoved: () => void
  onClose: () => void
}

export function MoveDeviceDialog({ row, onMoved, onClose }: Props) {
  const id = useId()
  const form = useForm({
    schema: moveDevice.body,
    initial: { branch_guid: '' },
    submit: async (body) => {
      try {
        const { moved_to } = await call(moveDevice, { params: { id: row.guid }, body })
        showToast({ tone: 'success', text: `${row.name} works at ${moved_to ?? 'the other branch'} now` })
        onMoved()
        onClose()
        return undefined
      } catch (error) {
        return toFormFailure(error)
      }
    },
  })
  useUnsavedWork('move-device', form.dirty)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Move ${row.name} to another branch`}
      holdsForm
      actions={<FormDialogActions act="Move" {...{ id, form }} onClose={onClose} />}
    >
      <Form form={form} id={id}>
        <p>
          It takes no more vouchers for {row.branch_name}, and needs no code at the other branch. What it redeemed
          before is still uploaded.
        </p>
        <BranchField all="Choose a branch" {...form.field('branch_guid')} />
      </Form>
    </Dialog>
  )
}
