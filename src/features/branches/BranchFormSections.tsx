import { useProfile } from '../../blocks/accounts/useProfile.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { HoursField } from '../../blocks/merchants/HoursField.tsx'
import { PeriodField } from '../../blocks/periods/PeriodField.tsx'
import type { Branch } from '../../contract/branches.ts'
import { isMainAccount } from '../../domain/accounts/permissions.ts'
import { isWeakPin } from '../../domain/branches.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { FieldWarning, type ControlProps } from '../../ui/form/Field.tsx'
import { FieldColumns, FieldGroup, FormSection } from '../../ui/form/LongForm.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import { WEEK, type BranchValues } from './branchFields.ts'
import { useMasters } from './useMasters.ts'

export type BranchFormFields = Pick<FormApi<BranchValues>, 'control' | 'field' | 'values' | 'setValues'>

interface Props {
  form: BranchFormFields
  /** The branch that is edited. */
  branch?: Branch
  /** The field for the kind, for a new branch only. */
  kind?: Elements
}

/** The fields that creating and editing have in common (rule 7.3). */
export function BranchFormSections({ form, branch, kind }: Props) {
  return (
    <>
      <FormSection id="business" number={1} title="Business information">
        {kind}
        <BusinessFields form={form} />
      </FormSection>
      <FormSection id="hours" number={2} title="Operating hours">
        <CheckboxField label="Use different hours from the organisation" {...form.control('own_hours')} />
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
    <FieldColumns>
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
      <TextField className="col-span-full" label="Address" autoComplete="off" {...form.field('business.address')} />
      <TextField label="Postal code" inputMode="numeric" autoComplete="off" {...form.field('business.postal_code')} />
      <TextField label="Contact number" type="tel" autoComplete="off" {...form.field('business.contact_number')} />
    </FieldColumns>
  )
}

/** Both days are included. */
const Days = ({ form }: { form: BranchFormFields }) => (
  <PeriodField
    label="Days"
    ends={[
      { label: 'First day', ...form.field('from_day') },
      { label: 'Last day', ...form.field('to_day') },
    ]}
    future
    onPeriod={({ from, to }) => form.setValues({ from_day: from, to_day: to })}
  />
)

function FinancialContactFields({ form }: { form: BranchFormFields }) {
  const organisation = useOrganisationContact()
  return (
    <FieldGroup legend="Financial contact" legendHidden>
      {organisation && (
        <div>
          <Button variant="quiet" onClick={() => form.setValues(organisation)}>
            Use the organisation's contact
          </Button>
        </div>
      )}
      <FieldColumns>
        <TextField label="Name" autoComplete="off" {...form.field('financial_contact.name')} />
        <TextField label="Email" type="email" autoComplete="off" {...form.field('financial_contact.email')} />
        <TextField
          label="Contact number"
          type="tel"
          autoComplete="off"
          {...form.field('financial_contact.contact_number')}
        />
      </FieldColumns>
    </FieldGroup>
  )
}

/** Only a main account has the organisation's contact in its profile. It is offered when it is complete. */
function useOrganisationContact() {
  const { type } = useUser()
  const { data } = useProfile()
  if (!isMainAccount(type)) return undefined
  if (!data?.contact_name || !data.contact_email || !data.contact_number) return undefined
  return {
    'financial_contact.name': data.contact_name,
    'financial_contact.email': data.contact_email,
    'financial_contact.contact_number': data.contact_number,
  }
}

/** Who logs in as the branch, and who manages it. A master manages what it creates, so it is not asked. */
function LoginFields({ form, branch }: { form: BranchFormFields; branch?: Branch }) {
  const seesMasters = usePermission('masters', 'view')
  const stays = branch !== undefined && branch.account_guid !== null && branch.account_status !== 'Pending Activation'
  return (
    <FieldColumns>
      <TextField
        label="Login email"
        type="email"
        autoComplete="off"
        readOnly={stays}
        hint={
          stays
            ? 'The login of this branch. The menu of its page moves it to another email.'
            : 'The activation link is sent here.'
        }
        {...form.field('email')}
      />
      {seesMasters && <MasterField form={form} branch={branch} />}
    </FieldColumns>
  )
}

function MasterField({ form, branch }: { form: BranchFormFields; branch: Branch | undefined }) {
  const { data: entries, phase } = useMasters()
  const now = branch?.master_guid ? [{ guid: branch.master_guid, name: branch.master_name ?? 'Its master' }] : []
  const masters = entries ?? now
  return (
    <SelectField
      label="Managed by"
      hint={
        phase === 'failed' ? 'The list of masters needs a connection once.' : 'A master sees and edits its branches.'
      }
      {...form.field('master_guid')}
      options={[
        { value: '', label: 'Main account' },
        ...masters.map(({ guid, name }) => ({ value: guid, label: name })),
      ]}
    />
  )
}

/** The PIN of a branch. A weak one is flagged, and not refused (rule 7.5). */
export function PinField({ label = 'Branch PIN', ...field }: ControlProps & { label?: string }) {
  const { merchant_id } = useUser()
  const weak = /^\d{6}$/.test(field.value) && isWeakPin(field.value, merchant_id)
  return (
    <div>
      <TextField
        label={label}
        hint="6 digits. It begins with your merchant ID, or the end of it, unless you change that."
        look="digits"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        {...field}
      />
      <div role="status">{weak && <FieldWarning>This PIN is easy to guess. Choose another one.</FieldWarning>}</div>
    </div>
  )
}
