import { useState, type ComponentProps } from 'react'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { confirm } from '../../state/dialogs.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { Form } from '../../ui/form/Form.tsx'
import { FootNote, FootSubmit, FormFoot } from '../../ui/form/LongForm.tsx'
import type { FormView } from '../../ui/form/useForm.ts'
import { useOffline } from '../connectivity/useOffline.ts'
import { DraftNotice } from '../drafts/DraftNotice.tsx'
import type { DraftState } from '../drafts/useDraft.ts'

interface Props extends Pick<ComponentProps<typeof Form>, 'look'> {
  /** The label of the button: "Save changes", "Create branch". */
  act: string
  form: FormView & { dirty: boolean }
  draft: DraftState
  /** Leaves the screen and discards what was typed. */
  onLeave: () => void
  children: Elements
}

/** The form of one record on a page. The bar at its bottom has the buttons, and says if the changes are stored. */
export function RecordForm({ look, act, form, draft, onLeave, children }: Props) {
  const offline = useOffline()
  const [now] = useState(() => new Date())
  const leave = async () => {
    if (form.dirty && !(await confirm(LEAVE))) return
    draft.done()
    onLeave()
  }
  const kept = draft.savedAt && form.dirty ? `Draft kept ${formatAsOf(draft.savedAt, now)}` : ''
  const words = form.dirty ? kept || 'Not saved yet' : 'No changes'
  return (
    <Form form={form} look={look}>
      <DraftNotice draft={draft} />
      {children}
      <FormFoot>
        <FootSubmit busy={form.submitting} offline={offline}>
          {act}
        </FootSubmit>
        <Button className="phone:flex-1" onClick={() => void leave()}>
          Cancel
        </Button>
        <FootNote warns={offline} className={offline ? undefined : 'phone:hidden'} role="status">
          {offline ? `Saving needs a connection.${form.dirty ? ' Your draft is kept.' : ''}` : words}
        </FootNote>
      </FormFoot>
    </Form>
  )
}

const LEAVE = {
  title: 'Leave without saving?',
  consequence: 'What you changed here is lost.',
  act: 'Leave without saving',
  dismiss: 'Stay',
  destructive: true,
}
