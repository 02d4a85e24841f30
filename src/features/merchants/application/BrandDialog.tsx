import { useId, useRef, type RefObject } from 'react'
import * as v from 'valibot'
import { call } from '../../../api/call.ts'
import { useHumanProof } from '../../../blocks/accounts/captcha/useHumanProof.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { DraftNotice } from '../../../blocks/drafts/DraftNotice.tsx'
import { useDraft } from '../../../blocks/drafts/useDraft.ts'
import { UploadField } from '../../../blocks/uploads/UploadField.tsx'
import type { Presign } from '../../../blocks/uploads/useUpload.ts'
import { INDUSTRY_TYPES, OUTLET_TYPES, TERMINAL_TYPES } from '../../../contract/merchants/application.ts'
import { presignPublic } from '../../../contract/uploads.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxGroup } from '../../../ui/form/CheckboxField.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { RadioField } from '../../../ui/form/RadioField.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { NumberField, TextArea } from '../../../ui/form/TextFieldVariants.tsx'
import { useForm, type FormApi } from '../../../ui/form/useForm.ts'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { brandDraft } from './applicationDraft.ts'
import { BRAND_LABELS, brandSchema, type BrandValues } from './brands.ts'

interface Props {
  /** The brand's id, or `new`. */
  brandId: string
  initial: BrandValues
  /** Contact emails of the other brands. */
  otherEmails: readonly string[]
  onSaved: (values: BrandValues) => void
  onClose: () => void
}

/** Adds or edits one brand. If the dialog closes unsaved, this device keeps the typed values for the next time. */
export function BrandDialog({ brandId, initial, otherEmails, onSaved, onClose }: Props) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const offline = useOffline()
  const form = useForm({
    schema: brandSchema({ otherEmails, logoLater: offline }),
    initial,
    submit: () => {
      draft.done()
      onSaved(form.values)
      return Promise.resolve()
    },
  })
  const draft = useDraft(brandDraft(brandId), form)
  const isNew = initial.name === ''
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form={id} variant="primary" busy={form.submitting}>
        {isNew ? 'Add brand' : 'Save brand'}
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? 'Add new brand' : `Edit ${initial.name}`}
      hasLongContent
      initialFocus={first}
      actions={actions}
    >
      <Form form={form} id={id}>
        <DraftNotice draft={draft} />
        <BrandFields form={form} first={first} />
      </Form>
    </Dialog>
  )
}

interface BrandFieldsProps {
  form: FormApi<BrandValues>
  first: RefObject<HTMLInputElement | null>
}

const asOptions = <T extends string>(values: readonly T[]) => values.map((value) => ({ value, label: value }))

const [, EXCEPT_LISTED] = OUTLET_TYPES

function BrandFields({ form, first }: BrandFieldsProps) {
  const { field, control } = form
  const { withProof, box } = useHumanProof('upload')
  // Every request for an upload address needs a proof (UPL-09).
  const presign: Presign<'brand_logo'> = (announced, signal) =>
    withProof((captcha_token) =>
      call(presignPublic, { body: v.parse(presignPublic.body, { ...announced, captcha_token }), signal }),
    )
  return (
    <>
      <TextField ref={first} label={BRAND_LABELS.name} {...field('name')} />
      <TextField
        label={BRAND_LABELS.website}
        labelEnd={<span className="text-muted">optional</span>}
        inputMode="url"
        {...field('website')}
      />
      <UploadField kind="brand_logo" label={BRAND_LABELS.logo} presign={presign} {...control('logo')}>
        {box}
      </UploadField>
      <SelectField
        label={BRAND_LABELS.industry_type}
        options={[{ value: '', label: 'Choose one' }, ...asOptions(INDUSTRY_TYPES)]}
        {...field('industry_type')}
      />
      <RadioField label={BRAND_LABELS.outlet_type} options={asOptions(OUTLET_TYPES)} {...field('outlet_type')} />
      {form.values.outlet_type === EXCEPT_LISTED && (
        <TextArea
          label={BRAND_LABELS.non_participating_outlets}
          hint="One outlet per line."
          rows={4}
          {...field('non_participating_outlets')}
        />
      )}
      <NumberField label={BRAND_LABELS.outlets_participating} {...field('outlets_participating')} />
      <CheckboxGroup
        label={BRAND_LABELS.terminal_types}
        hint="What your cashiers work with. Choose at least one."
        options={asOptions(TERMINAL_TYPES)}
        {...control('terminal_types')}
      />
      <TextField label={BRAND_LABELS.contact_name} autoComplete="off" {...field('contact_name')} />
      <TextField label={BRAND_LABELS.contact_designation} autoComplete="off" {...field('contact_designation')} />
      <TextField label={BRAND_LABELS.contact_number} inputMode="tel" autoComplete="off" {...field('contact_number')} />
      <TextField
        label={BRAND_LABELS.contact_email}
        hint="Use a different email for each brand."
        inputMode="email"
        autoComplete="off"
        {...field('contact_email')}
      />
    </>
  )
}
