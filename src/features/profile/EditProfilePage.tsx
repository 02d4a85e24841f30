import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useState } from 'react'
import type * as v from 'valibot'
import { call } from '../../api/call.ts'
import { PROFILE_KEY, useProfile } from '../../blocks/accounts/useProfile.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { RecordForm } from '../../blocks/record/RecordForm.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { UploadField } from '../../blocks/uploads/UploadField.tsx'
import { presignOwn } from '../../blocks/uploads/useUpload.ts'
import { myInfo } from '../../contract/accounts/account.ts'
import {
  AccountProfileEdit,
  editProfile,
  Profile,
  VERIFICATION_METHODS,
  type VerificationMethod,
} from '../../contract/profile.ts'
import { profileDetails } from '../../domain/paths.ts'
import { fetchAndCache } from '../../offline/reads/cachedRead.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { storeProfile } from '../../state/auth.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { FieldColumns, FormSection } from '../../ui/form/LongForm.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { TextArea } from '../../ui/form/TextFieldVariants.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import {
  type AccountProfile,
  isOrganisation,
  METHOD_NOTES,
  type OrganisationProfile,
  usableLogoUrl,
  OrganisationSchema,
  organisationValues,
  type OrganisationValues,
  saveOrganisation,
} from './organisationProfile.ts'

export function EditProfilePage() {
  usePageTitle('Edit profile')
  const navigate = useNavigate()
  const read = useProfile()
  const { data, asOf } = read
  const details = profileDetails(useUser())
  const leave = () => void navigate(details)
  return (
    <>
      <PageHeader
        back={<BackLink {...details}>Profile</BackLink>}
        title="Edit profile"
        note={data && `${data.company_name}, merchant ID ${data.merchant_id}`}
      />
      <RecordRead read={read} what="Your profile" waitForNewest>
        {(profile: Profile) =>
          isOrganisation(profile) ? (
            <OrganisationProfileForm key={profile.revision} profile={profile} asOf={asOf} onLeave={leave} />
          ) : (
            <AccountProfileForm key={profile.revision} profile={profile as AccountProfile} onLeave={leave} />
          )
        }
      </RecordRead>
    </>
  )
}

/** The form in which a master or a branch edits its own contact. Only the main account edits the rest. */
function AccountProfileForm({ profile, onLeave }: { profile: AccountProfile; onLeave: () => void }) {
  const params = { id: profile.guid }
  const { form, draft } = useRecordForm({
    draft: `profile/${profile.guid}`,
    schema: AccountProfileEdit,
    initial: accountValues(profile),
    send: (body) => call(profile.type === 'master' ? editProfile.master : editProfile.branch, { params, body }),
    saved: (saved) => void applySavedProfile(saved).then(onLeave),
    edits: { record: Profile, toForm: accountValues },
  })
  const { field } = form
  return (
    <RecordForm look="narrow" act="Save changes" form={form} draft={draft} onLeave={onLeave}>
      <TextField label="Name" autoComplete="off" {...field('name')} />
      <FieldColumns>
        <TextField label="Contact person" autoComplete="name" {...field('contact_name')} />
        <TextField label="Contact number" type="tel" autoComplete="tel" {...field('contact_number')} />
      </FieldColumns>
      <TextField
        label="Login email"
        hint="You log in with it. It cannot be changed here."
        readOnly
        value={profile.login_email}
        onChange={() => undefined}
      />
    </RecordForm>
  )
}

const accountValues = (profile: Profile): v.InferInput<typeof AccountProfileEdit> => ({
  name: profile.name,
  contact_name: profile.contact_name ?? '',
  contact_number: profile.contact_number ?? '',
  revision: profile.revision,
})

interface Props {
  profile: OrganisationProfile
  asOf: Date | undefined
  onLeave: () => void
}

/** The form in which a main account edits the profile of its organisation. */
function OrganisationProfileForm({ profile, asOf, onLeave }: Props) {
  const { form, draft } = useRecordForm({
    draft: `profile/${profile.guid}`,
    schema: OrganisationSchema,
    initial: organisationValues(profile),
    send: (values) => saveOrganisation(profile, values),
    saved: (saved) => void applySavedProfile(saved).then(onLeave),
    edits: {
      record: Profile,
      toForm: organisationValues,
      alsoChanged: (saved) => (saved.logo_key === profile.logo_key ? [] : ['logo']),
    },
  })
  return (
    <RecordForm look="long" act="Save changes" form={form} draft={draft} onLeave={onLeave}>
      <OrganisationSections form={form} profile={profile} asOf={asOf} />
    </RecordForm>
  )
}

/** Shows the saved profile at once. The name in the header follows with the server's answer, or at the next start. */
async function applySavedProfile(profile: Profile): Promise<void> {
  showToast({ tone: 'success', text: 'Profile saved' })
  void call(myInfo).then(storeProfile, () => undefined)
  await fetchAndCache(userStore(profile.guid), PROFILE_KEY, () => Promise.resolve(profile))
}

interface OrganisationSectionsProps {
  form: FormApi<OrganisationValues>
  profile: OrganisationProfile
  asOf: Date | undefined
}

const METHOD_OPTIONS = VERIFICATION_METHODS.map((value) => ({ value, label: value, note: METHOD_NOTES[value] }))

function OrganisationSections({ form, profile, asOf }: OrganisationSectionsProps) {
  const method = form.control('verification_method')
  return (
    <>
      <FormSection id="company" title="Company">
        <CompanyFields form={form} profile={profile} asOf={asOf} />
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
        note={`We always send it to ${summaryEmail(form, profile)}, and to anyone you add.`}
      >
        <CheckboxField
          label="Send the report on the second day of each month"
          {...form.control('monthly_summary_enabled')}
        />
        <TextArea
          label="Extra recipients"
          hint="Separate addresses with commas only."
          inputMode="email"
          autoComplete="off"
          {...form.field('recipients')}
        />
      </FormSection>
    </>
  )
}

/** Returns the email that always gets the summary: the contact email in the form, or the login email (rule 6.3). */
const summaryEmail = (form: FormApi<OrganisationValues>, { login_email }: OrganisationProfile) =>
  form.values.contact_email.trim() || login_email

function CompanyFields({ form, profile, asOf }: OrganisationSectionsProps) {
  const { field } = form
  return (
    <FieldColumns>
      <TextField
        className="col-span-full"
        label="Company name"
        autoComplete="organization"
        {...field('company_name')}
      />
      {profile.type === 'adhoc' ? (
        <TextField
          label="Registration number"
          hint="The UEN, if there is one."
          autoComplete="off"
          {...field('registration_number')}
        />
      ) : (
        <TextField
          label="Registration number"
          readOnly
          value={profile.registration_number ?? 'Not given'}
          onChange={() => undefined}
        />
      )}
      <TextField label="Contact number" type="tel" autoComplete="tel" {...field('contact_number')} />
      <TextField label="Contact person" autoComplete="name" {...field('contact_name')} />
      <TextField label="Contact email" type="email" autoComplete="email" {...field('contact_email')} />
      <TextArea className="col-span-full" label="Address" autoComplete="street-address" {...field('address')} />
      <LogoField form={form} profile={profile} asOf={asOf} />
    </FieldColumns>
  )
}

/** The logo to save: a new logo, none, or the saved logo. Removing a new logo brings back the saved logo. */
function LogoField({ form, profile, asOf }: OrganisationSectionsProps) {
  const { value, onChange, ...control } = form.control('logo')
  const [preview] = useState(() => usableLogoUrl(profile.logo_url, asOf))
  const upload = typeof value === 'string' ? null : value
  const showsSaved = profile.logo_url !== null && value === 'saved'
  const keepSaved = (event: MouseEvent<HTMLButtonElement>) => {
    event.currentTarget.closest('fieldset')?.querySelector('button')?.focus()
    onChange('saved')
  }
  return (
    <UploadField
      kind="profile_logo"
      className="col-span-full"
      label="Company logo"
      presign={presignOwn}
      {...control}
      value={upload}
      saved={showsSaved ? { name: 'Company logo', preview } : undefined}
      onChange={(next) => onChange(next ?? (upload ? 'saved' : 'removed'))}
    >
      {value === 'removed' && (
        <p className="flex items-center gap-2" role="status">
          The logo is removed when you save.
          <Button variant="quiet" onClick={keepSaved}>
            Keep it
          </Button>
        </p>
      )}
    </UploadField>
  )
}
