import { useState } from 'react'
import { flushSync } from 'react-dom'
import { DraftNotice } from '../../../blocks/drafts/DraftNotice.tsx'
import { PlainFrame } from '../../../blocks/page/PlainFrame.tsx'
import { useDraft } from '../../../blocks/drafts/useDraft.ts'
import type { User } from '../../../contract/accounts/account.ts'
import type { OnboardingRecord } from '../../../contract/onboarding.ts'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { DraftStatus } from './DraftStatus.tsx'
import { initialOnboarding } from '../../onboarding/initialOnboarding.ts'
import { openIssues, summaryErrors } from '../../onboarding/onboardingErrors.ts'
import { OnboardingSchema } from './onboardingSchema.ts'
import { OnboardingFoot } from './OnboardingFoot.tsx'
import { OnboardingHead } from '../../onboarding/OnboardingHead.tsx'
import { OnboardingRail } from '../../onboarding/OnboardingRail.tsx'
import { OnboardingSections } from './OnboardingSections.tsx'
import { OnboardingSummary } from './OnboardingSummary.tsx'
import { submitOnboarding } from './submitOnboarding.ts'

interface Props {
  user: User
  record: OnboardingRecord | undefined
  onSubmitted: () => void
}

const FORM_ID = 'onboarding'

/** The long form: filled in over days, looked at once more as a whole, then submitted. */
export function OnboardingForm({ user, record, onSubmitted }: Props) {
  const [stage, setStage] = useState<'fill' | 'check'>('fill')
  const [initial] = useState(() => initialOnboarding(record, user.organisation_name))
  const form = useForm({
    schema: OnboardingSchema,
    initial,
    proceed: () => {
      if (stage === 'check') return true
      setStage('check')
      return false
    },
    submit: async (onboarding) => {
      const accepted = () => {
        draft.done()
        onSubmitted()
      }
      const failure = await submitOnboarding(onboarding, accepted)
      if (failure?.fields?.length) setStage('fill')
      return failure
    },
  })
  const outdatedBy = record?.submitted_at ? new Date(record.submitted_at) : undefined
  const draft = useDraft('onboarding', form, { outdatedBy })
  const errors = summaryErrors(form.errors, form.values)
  const goTo = (id: string) => {
    flushSync(() => setStage('fill'))
    showSection(id)
  }
  return (
    <PlainFrame
      end={<DraftStatus draft={draft} />}
      offline="What you type is kept on this device. Sending it needs a connection."
    >
      <div className="main">
        <div className="page with-rail">
          <OnboardingHead status={user.status} rejectedReason={record?.rejected_reason ?? undefined} />
          <div className="onb" hidden={!draft.ready}>
            <OnboardingRail
              {...{ stage, errors }}
              open={openIssues(form.values)}
              onGo={goTo}
              onSubmit={() =>
                stage === 'fill' && document.querySelector<HTMLFormElement>(`#${FORM_ID}`)?.requestSubmit()
              }
            />
            <Form form={{ ...form, errors }} id={FORM_ID} className="form long">
              <div hidden={stage === 'check'}>
                <DraftNotice draft={draft} />
                <OnboardingSections form={form} owner={user.guid} />
              </div>
              {stage === 'check' && <OnboardingSummary values={form.values} owner={user.guid} onEdit={goTo} />}
              <OnboardingFoot {...{ stage, draft, form }} onBack={() => goTo('organisation')} />
            </Form>
          </div>
        </div>
      </div>
    </PlainFrame>
  )
}

function showSection(id: string) {
  const heading = document.getElementById(`${id}-title`)
  heading?.closest('section')?.scrollIntoView()
  heading?.focus({ preventScroll: true })
}
