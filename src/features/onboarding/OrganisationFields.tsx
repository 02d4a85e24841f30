import { TextField } from '../../ui/form/TextField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import type { OnboardingValues } from '../merchants/onboarding/onboardingSchema.ts'

export function OrganisationFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <div className="cols">
      <TextField
        className="all"
        label="Organisation name per ACRA"
        autoComplete="organization"
        {...form.field('organisation_name')}
      />
      <TextField
        label="Company registration number (UEN)"
        hint="9 or 10 letters and digits"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.field('uen')}
      />
    </div>
  )
}
