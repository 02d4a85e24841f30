import { useId, useRef } from 'react'
import * as v from 'valibot'
import { call } from '../../api/call.ts'
import { text } from '../../contract/fieldSchemas.ts'
import { LIMITS } from '../../contract/limits.ts'
import { createView, updateView, type View, type ViewList, type ViewState } from '../../contract/views.ts'
import { showToast } from '../../state/toasts.ts'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { useUser } from '../accounts/useUser.ts'
import { FormDialogActions } from '../record/FormDialogActions.tsx'
import { toFormFailure } from '../record/toFormFailure.ts'
import { refreshViews } from './savedViews.ts'

interface Props {
  list: ViewList
  /** One of mine, or a new one. */
  edited: View | undefined
  state: ViewState
  onSaved: (view: View) => void
  onClose: () => void
}

const Named = v.strictObject({ name: text(LIMITS.viewNameLength), shared: v.boolean(), is_default: v.boolean() })

/** A name for what the table shows, and whom it is for. */
export function SaveViewDialog({ list, edited, state, onSaved, onClose }: Props) {
  const { guid } = useUser()
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const { name = '', shared = false, is_default = false } = edited ?? {}
  const form = useForm({
    schema: Named,
    initial: { name, shared, is_default },
    submit: (values) =>
      send({ list, edited, state }, values).then(async (saved) => {
        await refreshViews(guid)
        showToast({ tone: 'success', text: `${saved.name} saved` })
        onSaved(saved)
        onClose()
      }, toFormFailure),
  })
  return (
    <Dialog
      open
      holdsForm
      onClose={onClose}
      title={edited ? `Rename or share ${edited.name}` : 'Save view'}
      initialFocus={first}
      actions={<FormDialogActions act={edited ? 'Save changes' : 'Save view'} {...{ id, form, onClose }} />}
    >
      <Form form={form} id={id}>
        <TextField
          label="Name"
          hint="Search, filters, order and columns are saved under it."
          maxLength={LIMITS.viewNameLength}
          autoComplete="off"
          ref={first}
          {...form.field('name')}
        />
        <CheckboxField label="Share with my organisation" {...form.control('shared')} />
        <CheckboxField label="Open this list with it" {...form.control('is_default')} />
      </Form>
    </Dialog>
  )
}

function send({ list, edited, state }: Pick<Props, 'list' | 'edited' | 'state'>, named: v.InferOutput<typeof Named>) {
  if (!edited) return call(createView, { body: { ...named, list, state } })
  return call(updateView, { params: { id: edited.guid }, body: { ...named, state, revision: edited.revision } })
}
