import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import type * as v from 'valibot'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { useHumanProof } from '../../../blocks/accounts/captcha/useHumanProof.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { DraftNotice } from '../../../blocks/drafts/DraftNotice.tsx'
import { useDraft, type DraftState } from '../../../blocks/drafts/useDraft.ts'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import type { ApplicantRole } from '../../../contract/accounts/permissions.ts'
import { signup } from '../../../contract/merchants/signup.ts'
import { formatTime } from '../../../domain/singaporeTime.ts'
import { setSuccessRegisterMessage } from '../../../state/shell.ts'
import { Form } from '../../../ui/form/Form.tsx'
import { errorSentence } from '../../../ui/form/formErrors.ts'
import { FootNote, FootSubmit, FormFoot } from '../../../ui/form/LongForm.tsx'
import { useForm, type FormApi, type FormFailure } from '../../../ui/form/useForm.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { APPLICATION_DRAFT, forgetBrandDrafts } from './applicationDraft.ts'
import {
  ApplicationSchema as Schema,
  emptyApplication,
  type ApplicationSchema,
  type ApplicationValues,
} from './applicationSchema.ts'
import { ApplicationSections } from './ApplicationSections.tsx'
import { BRAND_LABELS } from './brands.ts'
import { ROLE_TEXTS } from './roleTexts.ts'

/** The part of an accepted application that the page shows. */
export type SentApplication = Pick<Application, 'id' | 'role' | 'email'>

interface Props {
  role: ApplicantRole
  onSent: (application: SentApplication) => void
}

/** The form of the merchant application (rule 5.2). People can fill it in offline. A draft is stored until the server accepts it. */
export function ApplicationForm({ role, onSent }: Props) {
  usePageTitle('Merchant application')
  const [initial] = useState(() => emptyApplication(uuidv7(), role))
  const human = useHumanProof('signup')
  const form = useForm({ schema: Schema, initial, submit })
  // The role comes from the URL. A draft that was begun with the other role keeps everything except the role.
  const formOfRole = {
    ...form,
    setValues: (changes: Partial<ApplicationValues>) => form.setValues({ ...changes, role }),
  }
  const draft = useDraft(APPLICATION_DRAFT, formOfRole)

  async function submit(application: Application) {
    try {
      // After a lost answer, the application may be sent again: the server recognises its id.
      await human.withProof((captcha_proof) => call(signup, { body: { application, captcha_proof } }))
    } catch (error) {
      const refused = brandsWithRefusedLogo(error)
      if (refused.length > 0) form.setValues({ brands: withoutLogos(form.values.brands, refused) })
      return submitFailure(error, application)
    }
    draft.done()
    forgetBrandDrafts(form.values.brands.map(({ id }) => id))
    setSuccessRegisterMessage(ROLE_TEXTS[role].success)
    onSent(application)
    return undefined
  }

  return (
    <>
      <PageHeader
        title="Merchant application"
        note={
          <>
            <span>{`Applying as ${ROLE_TEXTS[role].name}. `}</span>
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

const withoutLogos = (brands: ApplicationValues['brands'], indexes: readonly number[]) =>
  brands.map((brand, index) =>
    indexes.includes(index) ? { ...brand, values: { ...brand.values, logo: null } } : brand,
  )

interface ApplicationFootProps {
  form: FormApi<ApplicationValues>
  draft: DraftState
}

/** Shows the submit button, why it is disabled, and when the draft was saved. */
function ApplicationFoot({ form, draft }: ApplicationFootProps) {
  const offline = useOffline()
  const saved = draft.savedAt && `Draft saved on this device, ${formatTime(draft.savedAt)}`
  return (
    <FormFoot>
      <FootSubmit busy={form.submitting} offline={offline}>
        Submit application
      </FootSubmit>
      <FootNote>{[offline && 'Submitting needs a connection.', saved].filter(Boolean).join(' ')}</FootNote>
    </FormFoot>
  )
}

type Application = v.InferOutput<typeof ApplicationSchema>

/** Returns why the submission failed, with the errors at the fields of the form. */
function submitFailure(error: unknown, { brands }: Application): FormFailure {
  if (!(error instanceof ApiError)) return toFormFailure(error)
  if (error.isConnectionFault) return { message: 'Submitting needs a connection. What you typed is kept.' }
  switch (error.code) {
    case 'IDEMPOTENCY_KEY_REUSED':
      return { message: 'This application has arrived already, as it was before your last changes. Check your email.' }
    case 'TERMS_OUTDATED':
      return {
        message: 'The terms and conditions have changed. Reload this page to read and accept them. Your draft is kept.',
      }
    default: {
      const { fields, ...failure } = toFormFailure(error)
      return fields ? { ...failure, fields: fields.map((field) => toFormField(field, brands)) } : failure
    }
  }
}

interface FieldIssue {
  path: string
  message: string
}

/** Moves an error of the server to a field of the form. An error in one brand is shown at the list, with the brand's name. */
function toFormField({ path, message }: FieldIssue, brands: Application['brands']): FieldIssue {
  const [, index, field] = /^application\.brands\.(\d+)\.(\w+)/.exec(path) ?? []
  const brand = brands[Number(index)]
  if (!brand) return { path: path.replace(/^application\./, ''), message }
  const label = BRAND_LABELS[field as keyof typeof BRAND_LABELS] ?? 'Brand'
  return { path: 'brands', message: `${brand.name}: ${errorSentence(label, message)}` }
}

/** Returns the indexes of the brands whose logos have to be uploaded again. */
const brandsWithRefusedLogo = (error: unknown): number[] =>
  error instanceof ApiError
    ? error.fields.flatMap(({ path }) => {
        const [, index] = /^application\.brands\.(\d+)\.logo$/.exec(path) ?? []
        return index === undefined ? [] : [Number(index)]
      })
    : []
