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

/** A main account edits what its whole organisation goes by. */
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
      <Form form={form} id={id} className="form long">
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

/** The server keeps an upload that nobody saved for an hour; a little less is promised here. */
const UPLOAD_STORED_MS = 55 * 60_000

/** Whether the draft that was put back had a new logo whose upload is gone: it is taken out of the form again. */
function useExpiredLogo(form: FormApi<OrganisationValues>, draft: DraftState): boolean {
  const [isLost, setLost] = useState(false)
  const look = useEffectEvent(() => {
    const { logo } = form.values
    if (typeof logo === 'string' || Date.now() - logo.uploaded_at < UPLOAD_STORED_MS) return
    setLost(true)
    form.setValues({ logo: 'saved' })
  })
  useEffect(() => {
    if (draft.restoredFrom) look()
  }, [draft.restoredFrom])
  return isLost && form.values.logo === 'saved'
}
