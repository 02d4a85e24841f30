import { useEffect, useEffectEvent, useState } from 'react'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import type { DraftState } from '../../blocks/drafts/useDraft.ts'
import { EditConflictDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { RecordFormFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { Profile } from '../../contract/profile.ts'
import { Form } from '../../ui/form/Form.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import { Notice } from '../../ui/Notice.tsx'
import { applySavedProfile } from './applySavedProfile.ts'
import type { OrganisationProfile } from './organisationProfile.ts'
import {
  ORGANISATION_LABELS,
  OrganisationSchema,
  organisationValueLabel,
  organisationValues,
  saveOrganisation,
  type OrganisationValues,
} from './organisationSchema.ts'
import { OrganisationSections } from './OrganisationSections.tsx'

interface Props {
  profile: OrganisationProfile
  asOf: Date | undefined
  onLeave: () => void
}

/** A main account edits the profile of its organisation. */
export function OrganisationProfileForm({ profile, asOf, onLeave }: Props) {
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
