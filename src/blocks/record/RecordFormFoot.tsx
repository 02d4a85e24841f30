import { useState } from 'react'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { confirm } from '../../state/dialogs.ts'
import { Button } from '../../ui/Button.tsx'
import { FootNote, FormFoot } from '../../ui/form/LongForm.tsx'
import type { FormView } from '../../ui/form/useForm.ts'
import { useOffline } from '../connectivity/useOffline.ts'
import type { DraftState } from '../drafts/useDraft.ts'

interface Props {
  /** "Save changes", "Create branch". */
  act: string
  form: Pick<FormView, 'submitting'> & { dirty: boolean; waiting: true | undefined }
  draft: DraftState
  /** Leaves the screen; what was typed is gone then. */
  onLeave: () => void
}

/** The bar that stays at the foot: the act, the way out, and where what was typed is now. */
export function RecordFormFoot({ act, form, draft, onLeave }: Props) {
  const offline = useOffline()
  const leave = async () => {
    if (form.dirty && !(await confirm(LEAVE))) return
    draft.done()
    onLeave()
  }
  return (
    <FormFoot>
      <Button
        type="submit"
        variant="primary"
        className="phone:flex-1"
        busy={form.submitting}
        aria-disabled={offline || form.waiting}
        aria-describedby="foot-note"
      >
        {act}
      </Button>
      <Button className="phone:flex-1" onClick={() => void leave()}>
        Cancel
      </Button>
      <WhereKept {...{ form, draft, offline }} />
    </FormFoot>
  )
}

const LEAVE = {
  title: 'Leave without saving?',
  consequence: 'What you changed here is lost.',
  act: 'Leave without saving',
  wayOut: 'Stay',
  destructive: true,
}

function WhereKept({ form, draft, offline }: Pick<Props, 'form' | 'draft'> & { offline: boolean }) {
  const [now] = useState(() => new Date())
  const kept = draft.savedAt && form.dirty ? `Draft kept ${formatAsOf(draft.savedAt, now)}` : ''
  const words = form.dirty ? kept || 'Not saved yet' : 'No changes'
  return (
    <FootNote warns={offline} className={offline ? undefined : 'phone:hidden'} id="foot-note" role="status">
      {offline ? `Saving needs a connection.${form.dirty ? ' Your draft is kept.' : ''}` : words}
    </FootNote>
  )
}
