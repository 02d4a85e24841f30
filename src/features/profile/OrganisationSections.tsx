import { useState, type MouseEvent } from 'react'
import { UploadField } from '../../blocks/uploads/UploadField.tsx'
import { presignOwn } from '../../blocks/uploads/useUpload.ts'
import { VERIFICATION_METHODS, type VerificationMethod } from '../../contract/profile.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { FieldColumns, FormSection } from '../../ui/form/LongForm.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { TextArea } from '../../ui/form/TextFieldVariants.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import { METHOD_NOTES, usableLogoUrl, type OrganisationProfile } from './organisationProfile.ts'
import { ORGANISATION_LABELS as LABELS, ORGANISATION_LABELS, type OrganisationValues } from './organisationSchema.ts'
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
      <FormSection
        id="summary"
        title="Monthly summary report emails"
        note={`Switched on, it always goes to ${contactOf(form, profile)}, and to the extra recipients as well.`}
      >
        <CheckboxField
          label="Send the report on the second day of each month"
          {...form.control('monthly_summary_enabled')}
        />
        <RecipientsField form={form} />
      </FormSection>
    </>
  )
}

/** Where the summary goes whoever else gets it, as it will be when this is saved (rule 6.3). */
const contactOf = (form: FormApi<OrganisationValues>, { login_email }: OrganisationProfile) =>
  form.values.contact_email.trim() || login_email

interface CompanyFieldsProps {
  form: FormApi<OrganisationValues>
  profile: OrganisationProfile
  asOf: Date | undefined
}

function CompanyFields({ form, profile, asOf }: CompanyFieldsProps) {
  const { field } = form
  return (
    <FieldColumns>
      <TextField
        className="col-span-full"
        label={LABELS.company_name}
        autoComplete="organization"
        {...field('company_name')}
      />
      {profile.type === 'adhoc' ? (
        <TextField
          label={LABELS.registration_number}
          hint="The UEN, if there is one."
          autoComplete="off"
          {...field('registration_number')}
        />
      ) : (
        <TextField
          label={LABELS.registration_number}
          readOnly
          value={profile.registration_number ?? 'Not given'}
          onChange={() => undefined}
        />
      )}
      <TextField label={LABELS.contact_number} type="tel" autoComplete="tel" {...field('contact_number')} />
      <TextField label={LABELS.contact_name} autoComplete="name" {...field('contact_name')} />
      <TextField label={LABELS.contact_email} type="email" autoComplete="email" {...field('contact_email')} />
      <TextArea className="col-span-full" label={LABELS.address} autoComplete="street-address" {...field('address')} />
      <LogoField {...{ form, profile, asOf }} />
    </FieldColumns>
  )
}

interface LogoFieldProps {
  form: FormApi<OrganisationValues>
  profile: OrganisationProfile
  asOf: Date | undefined
}

/** A new logo, none, or the saved one. Removing a new logo brings back the saved one. */
function LogoField({ form, profile, asOf }: LogoFieldProps) {
  const { value, onChange, ...control } = form.control('logo')
  const [preview] = useState(() => usableLogoUrl(profile.logo_url, asOf))
  const upload = typeof value === 'string' ? null : value
  const showsSaved = profile.logo_url !== null && value === 'saved'
  const label = ORGANISATION_LABELS.logo
  const keep = (event: MouseEvent<HTMLButtonElement>) => {
    event.currentTarget.closest('fieldset')?.querySelector('button')?.focus()
    onChange('saved')
  }
  return (
    <UploadField
      kind="profile_logo"
      className="col-span-full"
      label={label}
      presign={presignOwn}
      {...control}
      value={upload}
      saved={showsSaved ? { name: label, preview } : undefined}
      onChange={(next) => onChange(next ? { ...next, uploaded_at: Date.now() } : upload ? 'saved' : 'removed')}
    >
      {value === 'removed' && (
        <p className="flex items-center gap-2" role="status">
          The logo is removed when you save.
          <Button variant="quiet" onClick={keep}>
            Keep it
          </Button>
        </p>
      )}
    </UploadField>
  )
}
