import { useNavigate } from '@tanstack/react-router'
import type * as v from 'valibot'
import { masterApi } from '../../api/business.ts'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { RecordFormFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { EditConflictDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { Master, masters } from '../../contract/masters.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { showLimitRefusal } from './accountLimit.ts'

/** For creating, a form without a revision would do; one shape serves both. */
const MasterFields = masters.update.body
type MasterValues = v.InferInput<typeof MasterFields>

const EMPTY_MASTER: MasterValues = { name: '', email: '', revision: 0 }
const toForm = ({ name, email, revision }: Master): MasterValues => ({ name, email, revision })
const MASTER_LABELS = { name: 'Name', email: 'Email' }

/** Creates a master, or edits `master`. The e-mail of an account that was activated stays, for somebody logs in with it. */
export function MasterForm({ master }: { master?: Master }) {
  const navigate = useNavigate()
  const leave = () => void navigate({ to: '/masters' })
  const refused = showLimitRefusal({ act: 'Go to masters', go: leave })
  const { id, form, draft, stale, settle, putOff } = useRecordForm({
    draft: master ? `master/${master.guid}` : 'master/create',
    schema: MasterFields,
    initial: master ? toForm(master) : EMPTY_MASTER,
    send: ({ revision, ...facts }) =>
      master
        ? masterApi.update({ params: { id: master.guid }, body: { ...facts, revision } })
        : masterApi.create({ body: facts }),
    saved: (saved) => {
      showToast({ tone: 'success', text: master ? `${saved.name} saved` : `Activation email sent to ${saved.email}` })
      leave()
    },
    edits: { record: Master, toForm },
    refused: (error) => (refused(error) ? { message: error.statusMessage } : undefined),
  })
  const emailStays = master !== undefined && master.status !== 'Pending Activation'
  return (
    <>
      <Form form={form} id={id} className="form narrow">
        <DraftNotice draft={draft} />
        <TextField label="Name" autoComplete="off" {...form.field('name')} />
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          readOnly={emailStays}
          hint={emailStays ? 'The login of this master; it stays.' : 'The activation link is sent here.'}
          {...form.field('email')}
        />
        <RecordFormFoot act={master ? 'Save changes' : 'Create master'} {...{ form, draft }} onLeave={leave} />
      </Form>
      {stale && (
        <EditConflictDialog
          {...{ stale, labels: MASTER_LABELS }}
          mine={form.values}
          onSettle={settle}
          onBack={putOff}
        />
      )}
    </>
  )
}
