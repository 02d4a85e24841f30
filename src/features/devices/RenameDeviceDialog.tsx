import { useId, useRef } from 'react'
import { call } from '../../api/call.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../../blocks/record/FormDialogActions.tsx'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { renameDevice, type DeviceRow } from '../../contract/devices/devices.ts'
import { LIMITS } from '../../contract/limits.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'

interface Props {
  row: Pick<DeviceRow, 'guid' | 'name'>
  onRenamed: () => void
  onClose: () => void
}

export function RenameDeviceDialog({ row, onRenamed, onClose }: Props) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const form = useForm({
    schema: renameDevice.body,
    initial: { name: row.name },
    submit: async (body) => {
      try {
        const { name } = await call(renameDevice, { params: { id: row.guid }, body })
        showToast({ tone: 'success', text: `${row.name} is ${name} now` })
        onRenamed()
        onClose()
        return undefined
      } catch (error) {
        return toFormFailure(error)
      }
    },
  })
  useUnsavedWork('rename-device', form.dirty)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rename ${row.name}`}
      holdsForm
      initialFocus={first}
      actions={<FormDialogActions act="Rename" {...{ id, form }} onClose={onClose} />}
    >
      <Form form={form} id={id}>
        <p>Receipts and holds from now on carry the new name. The device shows it from its next voucher on.</p>
        <TextField
          label="Name"
          maxLength={LIMITS.tillNameLength}
          autoComplete="off"
          ref={first}
          {...form.field('name')}
        />
      </Form>
    </Dialog>
  )
}
