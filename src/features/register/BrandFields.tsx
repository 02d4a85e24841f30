import type { RefObject } from 'react'
import { UploadField } from '../../blocks/uploads/UploadField.tsx'
import { usePublicPresign } from '../../blocks/uploads/usePublicPresign.ts'
import { INDUSTRY_TYPES, OUTLET_TYPES, TERMINAL_TYPES } from '../../contract/merchants/application.ts'
import { CheckboxGroup } from '../../ui/CheckboxGroup.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { TextArea } from '../../ui/form/TextFieldVariants.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import type { BrandValues } from '../merchants/application/brands.ts'
import { BRAND_LABELS } from './brandLabels.ts'

interface BrandFieldsProps {
  form: FormApi<BrandValues>
  first: RefObject<HTMLInputElement | null>
}

const asOptions = <T extends string>(values: readonly T[]) => values.map((value) => ({ value, label: value }))
const [, LISTED] = OUTLET_TYPES

export function BrandFields({ form, first }: BrandFieldsProps) {
  const { field, control } = form
  const { presign, box } = usePublicPresign()
  return (
    <>
      <TextField ref={first} label={BRAND_LABELS.name} {...field('name')} />
      <TextField
        label={BRAND_LABELS.website}
        labelEnd={<span className="muted">optional</span>}
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
      {form.values.outlet_type === LISTED && (
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
        hint="Another one for each brand."
        inputMode="email"
        autoComplete="off"
        {...field('contact_email')}
      />
    </>
  )
}
