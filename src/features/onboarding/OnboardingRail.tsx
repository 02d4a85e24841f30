import type { ErrorsByPath } from '../../ui/form/formErrors.ts'
import { SectionRail } from '../../ui/form/SectionRail.tsx'
import { useCurrentSection } from '../../ui/useCurrentSection.ts'
import type { FormView } from '../../ui/form/useForm.ts'
import { errorsIn, ONBOARDING_SECTIONS } from '../merchants/onboarding/onboardingProgress.ts'

interface OnboardingRailProps {
  stage: 'fill' | 'check'
  /** What stands against submitting, and those of it that the person can see. */
  open: ErrorsByPath
  errors: FormView['errors']
  onGo: (id: string) => void
  /** The last step: what is missing comes first. */
  onSubmit: () => void
}

const SECTION_IDS = ONBOARDING_SECTIONS.map(({ id }) => id)
const SUBMIT_STEP = 'submit'

export function OnboardingRail({ stage, open, errors, onGo, onSubmit }: OnboardingRailProps) {
  const at = useCurrentSection(SECTION_IDS)
  const seen = Object.fromEntries(errors.map(({ name, message }) => [name, message]))
  const sections = ONBOARDING_SECTIONS.map((section) => ({
    id: section.id,
    title: section.title,
    done: errorsIn(section, open) === 0,
    errors: errorsIn(section, seen),
  }))
  return (
    <SectionRail
      sections={[...sections, { id: SUBMIT_STEP, title: 'Submit', done: false, errors: 0 }]}
      current={stage === 'check' ? SUBMIT_STEP : at}
      onGo={(id) => (id === SUBMIT_STEP ? onSubmit() : onGo(id))}
    />
  )
}
