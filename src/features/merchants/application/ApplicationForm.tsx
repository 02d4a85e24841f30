import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { useHumanProof } from '../../../blocks/accounts/captcha/useHumanProof.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { DraftNotice } from '../../../blocks/drafts/DraftNotice.tsx'
import { useDraft, type DraftState } from '../../../blocks/drafts/useDraft.ts'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import type { ApplicantRole } from '../../../contract/accounts/permissions.ts'
import { formatTime } from '../../../domain/singaporeTime.ts'
import { setSuccessRegisterMessage } from '../../../state/shell.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { FootNote, FormFoot } from '../../../ui/form/LongForm.tsx'
import { useForm, type FormApi } from '../../../ui/form/useForm.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { APPLICATION_DRAFT, forgetBrandDrafts } from './applicationDraft.ts'
import { emptyApplication, ApplicationSchema as Schema, type ApplicationValues } from './applicationSchema.ts'
import { ApplicationSections } from './ApplicationSections.tsx'
import { ROLE_TEXTS } from './roleTexts.ts'
import { refusedLogos, submitApplication, submitFailure, type Application } from './submitApplication.ts'

interface Props {
  role: ApplicantRole
  onSent: () => void
}

/** The merchant application (rule 5.2). It can be typed offline, and is stored as a draft until the server has accepted it. */
export function ApplicationForm({ role, onSent }: Props) {
  usePageTitle('Merchant application')
  const [initial] = useState(() => emptyApplication(uuidv7(), role))
  const human = useHumanProof('signup')
  const form = useForm({ schema: Schema, initial, submit })
  // The role comes from the address. A draft that was begun with the other role keeps everything else.
  const pinned = { ...form, setValues: (changes: Partial<ApplicationValues>) => form.setValues({ ...changes, role }) }
  const draft = useDraft(APPLICATION_DRAFT, pinned)

  async function submit(application: Application) {
    try {
      await submitApplication(application, human.prove)
    } catch (error) {
      const refused = refusedLogos(error)
      if (refused.length > 0) form.setValues({ brands: withoutLogos(form.values.brands, refused) })
      return submitFailure(error, application)
    }
    draft.done()
    forgetBrandDrafts(form.values.brands.map(({ id }) => id))
    setSuccessRegisterMessage(ROLE_TEXTS[role].success)
    onSent()
    return undefined
  }

  return (
    <>
      <PageHeader
        title="Merchant application"
        note={
          <>
            Applying as {ROLE_TEXTS[role].name}.{' '}
            <Link to="/register" search={{}}>
              Change
            </Link>
          </>
        }
      />
      <Form form={form} look="long">
        <DraftNotice draft={draft} />
        <ApplicationSections form={form} onAccepting={human.prepare} />
        {human.box}
        <ApplicationFoot form={form} draft={draft} />
      </Form>
    </>
  )
}

const withoutLogos = (brands: ApplicationValues['brands'], positions: readonly number[]) =>
  brands.map((brand, index) =>
    positions.includes(index) ? { ...brand, values: { ...brand.values, logo: null } } : brand,
  )

interface ApplicationFootProps {
  form: FormApi<ApplicationValues>
  draft: DraftState
}

/** The submit button, why it may be disabled, and when the draft was saved. */
function ApplicationFoot({ form, draft }: ApplicationFootProps) {
  const offline = useOffline()
  const saved = draft.savedAt && `Draft saved on this device, ${formatTime(draft.savedAt)}`
  return (
    <FormFoot>
      <Button
        type="submit"
        variant="primary"
        className="phone:flex-1"
        busy={form.submitting}
        aria-disabled={form.waiting ?? (offline || undefined)}
      >
        Submit application
      </Button>
      <FootNote>{[offline && 'Submitting needs a connection.', saved].filter(Boolean).join(' ')}</FootNote>
    </FormFoot>
  )
}
