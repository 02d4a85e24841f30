import type { DraftState } from '../../blocks/drafts/useDraft.ts'
import { formatTime } from '../../domain/singaporeTime.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { Button } from '../../ui/Button.tsx'
import { FormFoot } from '../../ui/FormFoot.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import type { ApplicationValues } from '../merchants/application/applicationSchema.ts'

interface ApplicationFootProps {
  form: FormApi<ApplicationValues>
  draft: DraftState
}

/** The act, and what it still needs; the state of the draft. */
export function ApplicationFoot({ form, draft }: ApplicationFootProps) {
  const offline = useOffline()
  const saved = draft.savedAt && `Draft saved on this device, ${formatTime(draft.savedAt)}`
  return (
    <FormFoot>
      <Button
        type="submit"
        variant="primary"
        busy={form.submitting}
        aria-disabled={form.waiting ?? (offline || undefined)}
      >
        Submit application
      </Button>
      <span className="state">{[offline && 'Submitting needs a connection.', saved].filter(Boolean).join(' ')}</span>
    </FormFoot>
  )
}
