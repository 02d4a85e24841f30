import type { ReactNode } from 'react'
import { HoursField } from '../../blocks/merchants/HoursField.tsx'
import type { Branch } from '../../contract/branches.ts'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { FormSection } from '../../ui/form/LongForm.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import { type BranchValues, WEEK } from './branchFields.ts'
import { FinancialContactFields } from './FinancialContactFields.tsx'
import { LoginFields } from './LoginFields.tsx'

export type BranchFormFields = Pick<FormApi<BranchValues>, 'control' | 'field' | 'values' | 'setValues'>

interface Props {
  form: BranchFormFields
  /** The one that is edited. */
  branch?: Branch
  /** Asked first where it can still be chosen. */
  kind?: ReactNode
}

/** The questions that creating and editing have in common (spec §3, Branch). */
export function BranchFormSections({ form, branch, kind }: Props) {
  return (
    <>
      <FormSection id="business" number={1} title="Business information">
        {kind}
        <BusinessFields form={form} />
      </FormSection>
      <FormSection id="hours" number={2} title="Operating hours">
        <CheckboxField label="Other hours than the organisation" {...form.control('own_hours')} />
        {form.values.own_hours && <HoursField form={form} path={WEEK} />}
      </FormSection>
      <FormSection id="contact" number={3} title="Financial contact">
        <FinancialContactFields form={form} />
      </FormSection>
      <FormSection id="login" number={4} title="Login">
        <LoginFields form={form} {...(branch ? { branch } : {})} />
      </FormSection>
    </>
  )
}

function BusinessFields({ form }: { form: BranchFormFields }) {
  return (
    <div className="cols">
      <TextField label="Branch name" autoComplete="off" {...form.field('name')} />
      <TextField
        label="Branch code"
        hint="Letters, digits and dashes"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.field('code')}
      />
      {form.values.kind === 'adhoc' && <Days form={form} />}
      <TextField className="all" label="Address" autoComplete="off" {...form.field('business.address')} />
      <TextField label="Postal code" inputMode="numeric" autoComplete="off" {...form.field('business.postal_code')} />
      <TextField label="Contact number" type="tel" autoComplete="off" {...form.field('business.contact_number')} />
    </div>
  )
}

/** Vouchers are redeemed there on both of them and on every day between. */
const Days = ({ form }: { form: BranchFormFields }) => (
  <>
    <DateField label="First day" {...form.field('from_day')} />
    <DateField label="Last day" min={form.values.from_day || undefined} {...form.field('to_day')} />
  </>
)
