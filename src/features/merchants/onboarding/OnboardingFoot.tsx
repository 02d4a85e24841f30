import { signOutKeepingDrafts } from '../../../blocks/accounts/signOut.ts'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import type { DraftState } from '../../../blocks/drafts/useDraft.ts'
import { showToast } from '../../../state/toasts.ts'
import { Button } from '../../../ui/Button.tsx'
import { FootNote, FormFoot } from '../../../ui/form/LongForm.tsx'
import type { FormApi } from '../../../ui/form/useForm.ts'
import { errorsIn, ONBOARDING_SECTIONS, openIssues } from './onboardingProgress.ts'
import type { OnboardingValues } from './onboardingSchema.ts'

interface Props {
  stage: 'fill' | 'check'
  draft: DraftState
  form: FormApi<OnboardingValues>
  onBack: () => void
}

/** The bar at the bottom: submit, save and leave, and how much is left to do. */
export function OnboardingFoot({ stage, draft, form, onBack }: Props) {
  const offline = useOffline()
  return (
    <FormFoot>
      {stage === 'fill' ? (
        <>
          <Button type="submit" variant="primary" className="phone:flex-1">
            Submit
          </Button>
          {!draft.cannotSave && (
            <Button className="phone:flex-1" onClick={() => void saveAndLeave()}>
              Save and leave
            </Button>
          )}
        </>
      ) : (
        <>
          <Button
            type="submit"
            variant="primary"
            className="phone:flex-1"
            busy={form.submitting}
            aria-disabled={offline || form.waiting}
            aria-describedby="foot-note"
          >
            Submit for review
          </Button>
          <Button className="phone:flex-1" onClick={onBack}>
            Back to the form
          </Button>
        </>
      )}
      <FootNote warns={offline} className={offline ? undefined : 'phone:hidden'} id="foot-note" role="status">
        {offline ? 'Submitting needs a connection. Your draft is kept.' : sectionsToGo(form.values)}
      </FootNote>
    </FormFoot>
  )
}

async function saveAndLeave() {
  await signOutKeepingDrafts()
  showToast({ tone: 'info', text: 'Your draft is saved on this device. Log in here to go on.', stays: true })
}

function sectionsToGo(values: OnboardingValues): string {
  const issues = openIssues(values)
  const left = ONBOARDING_SECTIONS.filter((section) => errorsIn(section, issues) > 0)
  const [next] = left
  return next
    ? `${left.length} of ${ONBOARDING_SECTIONS.length} sections to go, next: ${next.title}`
    : 'All sections done'
}
