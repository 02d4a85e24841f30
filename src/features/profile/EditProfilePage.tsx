import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type * as v from 'valibot'
import { call } from '../../api/call.ts'
import { PROFILE_KEY, useProfile } from '../../blocks/accounts/useProfile.ts'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import type { DraftState } from '../../blocks/drafts/useDraft.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { EditConflictDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { RecordFormFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { myInfo } from '../../contract/accounts/account.ts'
import { AccountProfileEdit, editProfile, Profile } from '../../contract/profile.ts'
import { fetchAndCache } from '../../offline/reads/cachedRead.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { profileRead } from '../../state/auth.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { FieldColumns } from '../../ui/form/LongForm.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { isOrganisation, type AccountProfile, type OrganisationProfile } from './organisationProfile.ts'
import {
  ORGANISATION_LABELS,
  OrganisationSchema,
  organisationValueLabel,
  organisationValues,
  saveOrganisation,
  type OrganisationValues,
} from './organisationSchema.ts'
import { OrganisationSections } from './OrganisationSections.tsx'

export function EditProfilePage() {
  usePageTitle('Edit profile')
  const navigate = useNavigate()
  const read = useProfile()
  const { data, asOf } = read
  const leave = () => void navigate({ to: '/profile' })
  return (
    <>
      <PageHeader
        back={<BackLink to="/profile">Profile</BackLink>}
        title="Edit profile"
        note={data && `${data.company_name}, merchant ID ${data.merchant_id}`}
      />
      <RecordRead read={read} what="Your profile" settled>
        {(profile: Profile) =>
          isOrganisation(profile) ? (
            <OrganisationProfileForm key={profile.revision} {...{ profile, asOf }} onLeave={leave} />
          ) : (
            <AccountProfileForm key={profile.revision} profile={profile as AccountProfile} onLeave={leave} />
          )
        }
      </RecordRead>
    </>
  )
}

const ACCOUNT_LABELS = { name: 'Name', contact_name: 'Contact person', contact_number: 'Contact number' }

/** A master or a branch edits its own contact; the rest belongs to the main account. */
function AccountProfileForm({ profile, onLeave }: { profile: AccountProfile; onLeave: () => void }) {
  const { id, form, draft, stale, settle, putOff } = useRecordForm({
    draft: `profile/${profile.guid}`,
    schema: AccountProfileSchema,
    initial: accountValues(profile),
    send: (values) => saveAccount(profile, values),
    saved: (saved) => void applySavedProfile(saved).then(onLeave),
    edits: { record: Profile, toForm: accountValues },
  })
  const { field } = form
  return (
    <>
      <Form form={form} id={id} look="narrow">
        <DraftNotice draft={draft} />
        <TextField label={ACCOUNT_LABELS.name} autoComplete="off" {...field('name')} />
        <FieldColumns>
          <TextField label={ACCOUNT_LABELS.contact_name} autoComplete="name" {...field('contact_name')} />
          <TextField label={ACCOUNT_LABELS.contact_number} type="tel" autoComplete="tel" {...field('contact_number')} />
        </FieldColumns>
        <TextField
          label="Login email"
          hint="You log in with it. It cannot be changed here."
          readOnly
          value={profile.login_email}
          onChange={() => undefined}
        />
        <RecordFormFoot act="Save changes" {...{ form, draft, onLeave }} />
      </Form>
      {stale && (
        <EditConflictDialog
          {...{ stale, labels: ACCOUNT_LABELS }}
          mine={form.values}
          onSettle={settle}
          onBack={putOff}
        />
      )}
    </>
  )
}

const AccountProfileSchema = AccountProfileEdit

const accountValues = (profile: Profile): v.InferInput<typeof AccountProfileSchema> => ({
  name: profile.name,
  contact_name: profile.contact_name ?? '',
  contact_number: profile.contact_number ?? '',
  revision: profile.revision,
})

/** Throws ApiError. */
function saveAccount(
  { type, guid }: AccountProfile,
  body: v.InferOutput<typeof AccountProfileSchema>,
): Promise<Profile> {
  return call(type === 'master' ? editProfile.master : editProfile.branch, { params: { id: guid }, body })
}

interface Props {
  profile: OrganisationProfile
  asOf: Date | undefined
  onLeave: () => void
}

/** A main account edits the profile of its organisation. */
function OrganisationProfileForm({ profile, asOf, onLeave }: Props) {
  const { id, form, draft, stale, settle, putOff } = useRecordForm({
    draft: `profile/${profile.guid}`,
    schema: OrganisationSchema,
    initial: organisationValues(profile),
    send: (values) => saveOrganisation(profile, values),
    saved: (saved) => void applySavedProfile(saved).then(onLeave),
    edits: { record: Profile, toForm: organisationValues },
  })
  const isLogoLost = useExpiredLogo(form, draft)
  return (
    <>
      <Form form={form} id={id} look="long">
        <DraftNotice draft={draft} />
        {isLogoLost && <ExpiredLogoNotice />}
        <OrganisationSections {...{ form, profile, asOf }} />
        <RecordFormFoot act="Save changes" {...{ form, draft, onLeave }} />
      </Form>
      {stale && (
        <EditConflictDialog
          stale={stale}
          mine={form.values}
          labels={ORGANISATION_LABELS}
          words={organisationValueLabel}
          onSettle={settle}
          onBack={putOff}
        />
      )}
    </>
  )
}

const ExpiredLogoNotice = () => (
  <Notice tone="warn" role="status">
    <p>The new logo of your draft was not kept, for it was not saved within the hour. Choose it again.</p>
  </Notice>
)

/** The server stores an upload that nobody saved for one hour. Here it counts as expired a little earlier. */
const UPLOAD_STORED_MS = 55 * 60_000

/** Whether the restored draft had a new logo whose upload has expired. The logo is then removed from the form. */
function useExpiredLogo(form: FormApi<OrganisationValues>, draft: DraftState): boolean {
  const [isLost, setLost] = useState(false)
  const check = useEffectEvent(() => {
    const { logo } = form.values
    if (typeof logo === 'string' || Date.now() - logo.uploaded_at < UPLOAD_STORED_MS) return
    setLost(true)
    form.setValues({ logo: 'saved' })
  })
  useEffect(() => {
    if (draft.restoredFrom) check()
  }, [draft.restoredFrom])
  return isLost && form.values.logo === 'saved'
}

/** Shows the saved profile at once. The name in the header follows with the server's answer, or at the next start. */
async function applySavedProfile(profile: Profile): Promise<void> {
  showToast({ tone: 'success', text: 'Profile saved' })
  void call(myInfo).then(profileRead, () => undefined)
  await fetchAndCache(userStore(profile.guid), PROFILE_KEY, () => Promise.resolve(profile))
}
