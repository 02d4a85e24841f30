import { ApiError } from '../../api/ApiError.ts'
import { reviewApi } from '../../api/portal.ts'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { showToast } from '../../state/toasts.ts'
import type { FormFailure } from '../../ui/form/useForm.ts'
import type { ReviewDeskProps } from './DeskProps.ts'
import { reviewLinkError } from './whyEnded.ts'

type Decision = { decision: 'approve' } | { decision: 'reject'; reason: string }

/** Sends the decision and shows what became of it. Another try of the same one gets the same answer. */
export async function submitDecision(desk: ReviewDeskProps, wanted: Decision): Promise<FormFailure | void> {
  try {
    desk.change(await reviewApi.decide({ body: { token: desk.token, ...wanted } }))
  } catch (error) {
    const why = reviewLinkError(error)
    if (why) return desk.onEnded(why)
    if (error instanceof ApiError && error.code === 'REVIEW_DECIDED') return showEarlierDecision(desk)
    return toFormFailure(error)
  }
}

/** Somebody was faster and decided otherwise. */
async function showEarlierDecision({ load }: ReviewDeskProps) {
  showToast({ tone: 'info', text: 'It was decided already, and that stands. You see that decision.', stays: true })
  await load()
}
