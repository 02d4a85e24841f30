import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { RecordFormFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { EditConflictDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { Profile } from '../../contract/profile.ts'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { AccountProfileSchema, accountValues, saveAccount } from './accountForm.ts'
import type { AccountProfile } from './organisationProfile.ts'
import { applySavedProfile } from './applySavedProfile.ts'

const ACCOUNT_LABELS = { name: 'Name', contact_name: 'Contact person', contact_number: 'Contact number' }

/** A master or a branch looks after its own contact; the rest is the main account's. */
export function AccountProfileForm({ profile, onLeave }: { profile: AccountProfile; onLeave: () => void }) {
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
      <Form form={form} id={id} className="form narrow">
        <DraftNotice draft={draft} />
        <TextField label={ACCOUNT_LABELS.name} autoComplete="off" {...field('name')} />
        <div className="cols">
          <TextField label={ACCOUNT_LABELS.contact_name} autoComplete="name" {...field('contact_name')} />
          <TextField label={ACCOUNT_LABELS.contact_number} type="tel" autoComplete="tel" {...field('contact_number')} />
        </div>
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
