import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { RecordFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { StaleDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { Profile } from '../../contract/profile.ts'
import { Form } from '../../ui/form/Form.tsx'
import type { OrganisationProfile } from './organisationProfile.ts'
import { LostLogoNotice } from './LostLogoNotice.tsx'
import { OrganisationForm, organisationValues, saveOrganisation } from './organisationSchema.ts'
import { OrganisationSections } from './OrganisationSections.tsx'
import { organisationWords, ORGANISATION_LABELS } from './organisationWords.ts'
import { profileSaved } from './applySavedProfile.ts'
import { useLostLogo } from './useLostLogo.ts'

interface Props {
  profile: OrganisationProfile
  asOf: Date | undefined
  onLeave: () => void
}

/** A main account edits what its whole organisation goes by. */
export function OrganisationProfileForm({ profile, asOf, onLeave }: Props) {
  const { id, form, draft, stale, settle, putOff } = useRecordForm({
    draft: `profile/${profile.guid}`,
    schema: OrganisationForm,
    initial: organisationValues(profile),
    send: (values) => saveOrganisation(profile, values),
    saved: (saved) => void profileSaved(saved).then(onLeave),
    edits: { record: Profile, toForm: organisationValues },
  })
  const isLogoLost = useLostLogo(form, draft)
  return (
    <>
      <Form form={form} id={id} className="form long">
        <DraftNotice draft={draft} />
        {isLogoLost && <LostLogoNotice />}
        <OrganisationSections {...{ form, profile, asOf }} />
        <RecordFoot act="Save changes" {...{ form, draft, onLeave }} />
      </Form>
      {stale && (
        <StaleDialog
          stale={stale}
          mine={form.values}
          labels={ORGANISATION_LABELS}
          words={organisationWords}
          onSettle={settle}
          onBack={putOff}
        />
      )}
    </>
  )
}
