import { NumberField } from '../../ui/NumberField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import type { OnboardingValues } from '../merchants/onboarding/onboardingSchema.ts'

export function TerminalFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <div className="cols">
      <NumberField
        label="Number of branches in Singapore"
        hint="Outlets that will accept vouchers."
        {...form.field('branches_in_singapore')}
      />
      <NumberField label="Number of POS terminals" {...form.field('pos_terminals')} />
    </div>
  )
}
