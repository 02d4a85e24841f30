import { posApi } from '../../api/business.ts'
import { PosUser, posUsers, type PosUserRow } from '../../contract/posUsers.ts'
import { showToast } from '../../state/toasts.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { DraftNotice } from '../drafts/DraftNotice.tsx'
import { FormDialogActions } from '../record/FormDialogActions.tsx'
import { EditConflictDialog } from '../record/EditConflictDialog.tsx'
import { useRecordForm } from '../record/useRecordForm.ts'

interface EditProps {
  user: PosUserRow
  onDone: () => void
  onClose: () => void
}

const toForm = ({ username, revision }: Pick<PosUserRow, 'username' | 'revision'>) => ({ username, revision })

export function EditPosUserDialog({ user, onDone, onClose }: EditProps) {
  const { id, form, draft, stale, settle, putOff } = useRecordForm({
    draft: `pos/${user.guid}`,
    schema: posUsers.update.body,
    initial: toForm(user),
    send: (body) => posApi.update({ params: { id: user.guid }, body }),
    saved: ({ username }) => {
      showToast({ tone: 'success', text: `${username} saved` })
      onDone()
    },
    edits: { record: PosUser, toForm },
  })
  // Dialogs are never stacked: the choice between two versions takes the place of the form.
  if (stale) {
    return (
      <EditConflictDialog
        stale={stale}
        mine={form.values}
        labels={{ username: 'Username' }}
        onSettle={settle}
        onBack={putOff}
      />
    )
  }
  const leave = () => {
    draft.done()
    onClose()
  }
  const actions = <FormDialogActions act="Save changes" {...{ id, form }} onClose={leave} />
  return (
    <Dialog open onClose={leave} title={`Edit ${user.username}`} holdsForm actions={actions}>
      <Form form={form} id={id}>
        <DraftNotice draft={draft} />
        <TextField
          label="Username"
          hint="The cashier logs in with it from the next time on."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('username')}
        />
      </Form>
    </Dialog>
  )
}
