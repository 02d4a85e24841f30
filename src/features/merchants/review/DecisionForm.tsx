import { useId } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { useUnsavedWork } from '../../../blocks/drafts/useDraft.ts'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import { decideReview, RejectForm, type Review } from '../../../contract/merchants/review.ts'
import { confirm, type Confirmation } from '../../../state/dialogs.ts'
import { showToast } from '../../../state/toasts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { errorSentence } from '../../../ui/form/formErrors.ts'
import { TextArea } from '../../../ui/form/TextFieldVariants.tsx'
import { useForm, type FormFailure } from '../../../ui/form/useForm.ts'
import { Panel, Stack } from '../../../ui/Panel.tsx'
import { reviewLinkError, type ReviewDeskProps } from './useReview.ts'

const NO_FIELDS = v.object({})

/** Shows two forms in one panel: approve, or reject with a reason. Each form asks for confirmation before it is sent. */
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
    <Panel title="Decision">
      <Stack padded>
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
          <div className="grid grid-cols-2 gap-3">
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
        <p className="text-muted">Either way the merchant gets an email at once.</p>
      </Stack>
    </Panel>
  )
}

type Decision = { decision: 'approve' } | { decision: 'reject'; reason: string }

/** Sends the decision and shows the result. If the same decision is sent again, the answer is the same. */
async function submitDecision(desk: ReviewDeskProps, decision: Decision): Promise<FormFailure | void> {
  try {
    desk.change(await call(decideReview, { body: { token: desk.token, ...decision } }))
  } catch (error) {
    const linkError = reviewLinkError(error)
    if (linkError) return desk.onEnded(linkError)
    if (error instanceof ApiError && error.code === 'REVIEW_DECIDED') return showEarlierDecision(desk)
    return toFormFailure(error)
  }
}

/** Shows the decision of another reviewer, who has decided differently in the meantime. */
async function showEarlierDecision({ load }: ReviewDeskProps) {
  showToast({ tone: 'info', text: 'Another reviewer decided first. This page shows that decision.', stays: true })
  await load()
}

const approveQuestion = ({ organisation_name, subject }: Review): Confirmation => ({
  title: `Approve ${organisation_name}?`,
  consequence:
    subject === 'onboarding'
      ? 'The account becomes Active: it can use the whole portal and accept vouchers. The merchant gets an email at once.'
      : 'The merchant gets an email at once, to set a password and start.',
  act: 'Approve',
  dismiss: 'Back',
  destructive: false,
  approving: true,
})

const rejectQuestion = ({ organisation_name, subject }: Review): Confirmation => ({
  title: `Reject ${organisation_name}?`,
  consequence:
    subject === 'onboarding'
      ? 'The merchant gets your reason by email at once, and can correct the onboarding and submit it again.'
      : 'The merchant gets your reason by email at once.',
  act: 'Reject',
  dismiss: 'Back',
  destructive: true,
})
