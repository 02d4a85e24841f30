import { TextArea } from '../../ui/form/TextFieldVariants.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import type { OrganisationProfile } from './organisationProfile.ts'
import { LogoField } from './LogoField.tsx'
import type { OrganisationValues } from './organisationSchema.ts'
import { ORGANISATION_LABELS as LABELS } from './organisationWords.ts'

interface CompanyFieldsProps {
  form: FormApi<OrganisationValues>
  profile: OrganisationProfile
  asOf: Date | undefined
}

export function CompanyFields({ form, profile, asOf }: CompanyFieldsProps) {
  const { field } = form
  return (
    <div className="cols">
      <TextField className="all" label={LABELS.company_name} autoComplete="organization" {...field('company_name')} />
      <TextField
        label="Registration number"
        readOnly
        value={profile.registration_number ?? 'Not given'}
        onChange={() => undefined}
      />
      <TextField label={LABELS.contact_number} type="tel" autoComplete="tel" {...field('contact_number')} />
      <TextField label={LABELS.contact_name} autoComplete="name" {...field('contact_name')} />
      <TextField label={LABELS.contact_email} type="email" autoComplete="email" {...field('contact_email')} />
      <TextArea className="all" label={LABELS.address} autoComplete="street-address" {...field('address')} />
      <LogoField {...{ form, profile, asOf }} />
    </div>
  )
}
