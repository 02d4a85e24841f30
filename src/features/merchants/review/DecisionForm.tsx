import { useId } from 'react'
import * as v from 'valibot'
import { useUnsavedWork } from '../../../blocks/drafts/useUnsavedWork.ts'
import { RejectForm } from '../../../contract/merchants/review.ts'
import { confirm } from '../../../state/dialogs.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { TextArea } from '../../../ui/form/TextFieldVariants.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { errorSentence } from '../../../ui/worded.ts'
import { submitDecision } from '../../review/decide.ts'
import { approveQuestion, rejectQuestion } from '../../review/decisionQuestions.ts'
import type { ReviewDeskProps } from '../../review/DeskProps.ts'

const NO_FIELDS = v.object({})

/** Approve, or reject with a reason: two forms that share a panel. Each names its consequence once more. */
export function DecisionForm(desk: ReviewDeskProps) {
  const approveForm = useId()
  const approval = useForm({
    schema: NO_FIELDS,
    initial: {},
    proceed: () => confirm(approveQuestion(desk.review)),
    submit: () => submitDecision(desk, { decision: 'approve' }),
  })
  const rejection = useForm({
    schema: RejectForm,
    initial: { reason: '' },
    proceed: () => confirm(rejectQuestion(desk.review)),
    submit: ({ reason }) => submitDecision(desk, { decision: 'reject', reason }),
  })
  useUnsavedWork('decision', rejection.dirty)
  const reasonError = rejection.field('reason').error
  return (
    <section className="panel" aria-label="Decision">
      <header>
        <h2>Decision</h2>
      </header>
      <div className="pad stack">
        <Form form={approval} id={approveForm}>
          {null}
        </Form>
        <Form form={rejection}>
          <TextArea
            label="Reason, if rejected"
            hint="Needed to reject. The merchant reads it."
            rows={3}
            {...rejection.field('reason')}
            error={reasonError && errorSentence('Reason', reasonError)}
          />
          <div className="halves">
            <Button
              type="submit"
              form={approveForm}
              variant="approve"
              busy={approval.submitting}
              aria-disabled={rejection.submitting || undefined}
            >
              Approve
            </Button>
            <Button
              type="submit"
              variant="reject"
              busy={rejection.submitting}
              aria-disabled={approval.submitting || undefined}
            >
              Reject
            </Button>
          </div>
        </Form>
        <p className="muted">Either way the merchant gets an email at once.</p>
      </div>
    </section>
  )
}
