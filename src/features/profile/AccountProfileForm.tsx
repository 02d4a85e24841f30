import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { RecordFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { StaleDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { Profile } from '../../contract/profile.ts'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { AccountForm, accountValues, saveAccount } from './accountForm.ts'
import type { AccountProfile } from './organisationProfile.ts'
import { profileSaved } from './applySavedProfile.ts'

const LABELS = { name: 'Name', contact_name: 'Contact person', contact_number: 'Contact number' }

/** A master or a branch looks after its own contact; the rest is the main account's. */
export function AccountProfileForm({ profile, onLeave }: { profile: AccountProfile; onLeave: () => void }) {
  const { id, form, draft, stale, settle, putOff } = useRecordForm({
    draft: `profile/${profile.guid}`,
    schema: AccountForm,
    initial: accountValues(profile),
    send: (values) => saveAccount(profile, values),
    saved: (saved) => void profileSaved(saved).then(onLeave),
    edits: { record: Profile, toForm: accountValues },
  })
  const { field } = form
  return (
    <>
      <Form form={form} id={id} className="form narrow">
        <DraftNotice draft={draft} />
        <TextField label={LABELS.name} autoComplete="off" {...field('name')} />
        <div className="cols">
          <TextField label={LABELS.contact_name} autoComplete="name" {...field('contact_name')} />
          <TextField label={LABELS.contact_number} type="tel" autoComplete="tel" {...field('contact_number')} />
        </div>
        <TextField
          label="Login email"
          hint="You log in with it. It cannot be changed here."
          readOnly
          value={profile.login_email}
          onChange={() => undefined}
        />
        <RecordFoot act="Save changes" {...{ form, draft, onLeave }} />
      </Form>
      {stale && <StaleDialog {...{ stale, labels: LABELS }} mine={form.values} onSettle={settle} onBack={putOff} />}
    </>
  )
}
