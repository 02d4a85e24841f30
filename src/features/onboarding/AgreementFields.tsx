import { presignOwn } from '../../blocks/upload/presignOwn.ts'
import { UploadField } from '../../blocks/uploads/UploadField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import type { OnboardingValues } from '../merchants/onboarding/onboardingSchema.ts'

export function AgreementFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <UploadField
      kind="merchant_agreement"
      label="Signed agreement"
      presign={presignOwn}
      {...form.control('merchant_agreement')}
    />
  )
}
