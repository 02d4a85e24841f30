import { ApiError } from '../../api/ApiError.ts'
import { reviewApi } from '../../api/portal.ts'
import { failureOf } from '../../blocks/record/toFormFailure.ts'
import { showToast } from '../../state/toasts.ts'
import type { FormFailure } from '../../ui/form/useForm.ts'
import type { DeskProps } from './DeskProps.ts'
import { whyEnded } from './whyEnded.ts'

type Decision = { decision: 'approve' } | { decision: 'reject'; reason: string }

/** Sends the decision and shows what became of it. Another try of the same one gets the same answer. */
export async function decide(desk: DeskProps, wanted: Decision): Promise<FormFailure | void> {
  try {
    desk.change(await reviewApi.decide({ body: { token: desk.token, ...wanted } }))
  } catch (error) {
    const why = whyEnded(error)
    if (why) return desk.onEnded(why)
    if (error instanceof ApiError && error.code === 'REVIEW_DECIDED') return showOther(desk)
    return failureOf(error)
  }
}

/** Somebody was faster and decided otherwise. */
async function showOther({ load }: DeskProps) {
  showToast({ tone: 'info', text: 'It was decided already, and that stands. You see that decision.', stays: true })
  await load()
}
