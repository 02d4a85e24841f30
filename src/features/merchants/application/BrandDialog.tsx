import { useId, useRef } from 'react'
import { DraftNotice } from '../../../blocks/drafts/DraftNotice.tsx'
import { useDraft } from '../../../blocks/drafts/useDraft.ts'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { brandDraft } from './applicationDraft.ts'
import { BrandFields } from '../../register/BrandFields.tsx'
import { brandSchema, type BrandValues } from './brands.ts'

interface Props {
  /** Of the brand, or `new`. */
  brandId: string
  initial: BrandValues
  /** Contact e-mails of the other brands. */
  otherEmails: readonly string[]
  onSaved: (values: BrandValues) => void
  onClose: () => void
}

/** Adds or edits one brand. What was typed and not saved waits on the device for the next opening. */
export function BrandDialog({ brandId, initial, otherEmails, onSaved, onClose }: Props) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const offline = useOffline()
  const form = useForm({
    schema: brandSchema({ otherEmails, logoLater: offline }),
    initial,
    submit: () => {
      draft.done()
      onSaved(form.values)
      return Promise.resolve()
    },
  })
  const draft = useDraft(brandDraft(brandId), form)
  const isNew = initial.name === ''
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form={id} variant="primary" busy={form.submitting}>
        {isNew ? 'Add brand' : 'Save brand'}
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? 'Add new brand' : `Edit ${initial.name}`}
      holdsForm
      initialFocus={first}
      actions={actions}
    >
      <Form form={form} id={id}>
        <DraftNotice draft={draft} />
        <BrandFields form={form} first={first} />
      </Form>
    </Dialog>
  )
}
