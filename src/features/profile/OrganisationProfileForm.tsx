import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { RecordFormFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { EditConflictDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { Profile } from '../../contract/profile.ts'
import { Form } from '../../ui/form/Form.tsx'
import type { OrganisationProfile } from './organisationProfile.ts'
import { ExpiredLogoNotice } from './LostLogoNotice.tsx'
import { OrganisationSchema, organisationValues, saveOrganisation } from './organisationSchema.ts'
import { OrganisationSections } from './OrganisationSections.tsx'
import { organisationValueLabel, ORGANISATION_LABELS } from './organisationWords.ts'
import { applySavedProfile } from './applySavedProfile.ts'
import { useExpiredLogo } from './useLostLogo.ts'

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
