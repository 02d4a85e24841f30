import { useNavigate } from '@tanstack/react-router'
import type * as v from 'valibot'
import { call } from '../../api/call.ts'
import { useProfile } from '../../blocks/accounts/useProfile.ts'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { EditConflictDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { RecordFormFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { AccountProfileEdit, editProfile, Profile } from '../../contract/profile.ts'
import { Form } from '../../ui/form/Form.tsx'
import { FieldColumns } from '../../ui/form/LongForm.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { applySavedProfile } from './applySavedProfile.ts'
import { isOrganisation, type AccountProfile } from './organisationProfile.ts'
import { OrganisationProfileForm } from './OrganisationProfileForm.tsx'

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
