import { VERIFICATION_METHODS, type VerificationMethod } from '../../contract/profile.ts'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { FormSection } from '../../ui/form/LongForm.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import { CompanyFields } from './CompanyFields.tsx'
import type { OrganisationProfile } from './organisationProfile.ts'
import { METHOD_NOTES } from './methodNotes.ts'
import type { OrganisationValues } from './organisationSchema.ts'
import { RecipientsField } from './RecipientsField.tsx'

interface Props {
  form: FormApi<OrganisationValues>
  profile: OrganisationProfile
  asOf: Date | undefined
}

const METHOD_OPTIONS = VERIFICATION_METHODS.map((value) => ({ value, label: value, note: METHOD_NOTES[value] }))

export function OrganisationSections({ form, profile, asOf }: Props) {
  const method = form.control('verification_method')
  return (
    <>
      <FormSection id="company" title="Company">
        <CompanyFields {...{ form, profile, asOf }} />
      </FormSection>
      <FormSection
        id="verification"
        title="Voucher verification method"
        note="What a cashier must enter for each voucher."
      >
        <RadioField
          label="Voucher verification method"
          labelHidden
          options={METHOD_OPTIONS}
          {...method}
          onChange={(value) => method.onChange(value as VerificationMethod)}
        />
      </FormSection>
      <FormSection id="summary" title="Monthly summary report emails">
        <CheckboxField
          label="Send the report on the first day of each month"
          {...form.control('monthly_summary_enabled')}
        />
        <RecipientsField form={form} />
      </FormSection>
    </>
  )
}
