import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import { useProfile } from '../../blocks/accounts/useProfile.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { HoursField } from '../../blocks/merchants/HoursField.tsx'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { PeriodField } from '../../blocks/periods/PeriodField.tsx'
import { RecordForm } from '../../blocks/record/RecordForm.tsx'
import { RecordRead, RecordSkeleton } from '../../blocks/record/RecordRead.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { ImportLink } from '../../blocks/tables/ListTools.tsx'
import { adhocBranches, Branch, branches } from '../../contract/branches.ts'
import type { BranchKind } from '../../contract/tables/lists.ts'
import { isMainAccount } from '../../domain/accounts/permissions.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { FieldColumns, FieldGroup, FormSection } from '../../ui/form/LongForm.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { FormApi, FormFailure } from '../../ui/form/useForm.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Box, Exact, type Fact, Facts } from '../../ui/Panel.tsx'
import {
  BranchEditFields,
  type BranchValues,
  isAdhocBody,
  isWhole,
  newBranch,
  type NewBranchFacts,
  NewBranchFields,
  type NewBranchValues,
  toBranchForm,
  WEEK,
} from './branchFields.ts'
import { useBranch, useHasMasters, useMasters, useNewBranchFacts } from './branchReads.ts'
import { PinField } from './PinPanel.tsx'

/** The page that creates a branch. `kind` is preselected, from the list that opened the page. */
export function CreateBranchPage({ kind }: { kind: BranchKind }) {
  usePageTitle('Create branch')
  const facts = useNewBranchFacts()
  return (
    <>
      <PageHeader
        back={<BackLink to="/branches">Branches</BackLink>}
        title="Create branch"
        note="You can add its cashiers and tills right after it."
        actions={<ImportLink to="/imports/branches" />}
      />
      {facts ? <NewBranchForm kind={kind} facts={facts} /> : <RecordSkeleton />}
    </>
  )
}

function NewBranchForm({ kind, facts }: { kind: BranchKind; facts: NewBranchFacts }) {
  const navigate = useNavigate()
  const { merchant_id, login_name } = useUser()
  const initial = newBranch(kind, facts, merchant_id)
  const [isOpen, setOpen] = useState(facts.first === null)
  const openBranch = ({ guid, name, email }: Branch) => {
    showToast({ tone: 'success', text: `${name} created${email ? `. Activation email sent to ${email}` : ''}` })
    const params = { type: guid, id: 'view' }
    void navigate({ to: '/branches/$type/$id', params, search: { tab: 'pos' }, state: { isNewBranch: true } })
  }
  const { form, draft } = useRecordForm({
    draft: 'branch/create',
    secret: ['pin', 'sets_pin'],
    schema: NewBranchFields,
    initial,
    send: (body) => (isAdhocBody(body) ? call(adhocBranches.create, { body }) : call(branches.create, { body })),
    saved: openBranch,
    refused: (error, { email }) => emailRefusal(error, email, login_name),
  })
  // A summary hides no error, and nothing that is still to fill in.
  const isHiding = form.errors.some(({ name }) => name !== 'name' && name !== 'pin')
  if (!isOpen && (isHiding || !isWhole({ ...form.values, name: initial.name }))) setOpen(true)
  return (
    <RecordForm
      look="long"
      act="Create branch"
      form={form}
      draft={draft}
      onLeave={() => void navigate({ to: '/branches' })}
    >
      {isOpen ? (
        <BranchFormSections form={form} kind={<KindField form={form} />} />
      ) : (
        <FirstBranchSection form={form} onOpen={() => setOpen(true)} />
      )}
      {(isOpen || facts.needs_pin) && (
        <FormSection
          id="pin"
          {...(isOpen ? { number: 5 } : {})}
          title="Branch PIN"
          note={
            facts.needs_pin
              ? 'The counter asks for it with each voucher.'
              : 'Not used now: your vouchers are verified by serial number only.'
          }
        >
          {!facts.needs_pin && <CheckboxField label="Set a PIN now" {...form.control('sets_pin')} />}
          {form.values.sets_pin && <PinField {...form.field('pin')} />}
        </FormSection>
      )}
    </RecordForm>
  )
}

/** Sums up what is known of the organisation's first branch. Only its name is a field, for the shop's name may be another than the company's. */
function FirstBranchSection({ form, onOpen }: { form: FormApi<NewBranchValues>; onOpen: () => void }) {
  const { values } = form
  const facts: Fact[] = [
    ['Branch code', <Exact key="code">{values.code}</Exact>],
    ['Address', [values['business.address'], `Singapore ${values['business.postal_code']}`]],
    ['Contact number', <Exact key="number">{values['business.contact_number']}</Exact>],
    ['Operating hours', 'Same as the organisation'],
    [
      'Financial contact',
      [
        values['financial_contact.name'],
        values['financial_contact.email'],
        values['financial_contact.contact_number'],
      ].filter((line, at, lines) => lines.indexOf(line) === at),
    ],
    ['Login', 'None. You manage the branch with your own login.'],
  ]
  return (
    <FormSection id="business" title="Your first branch" note="From your application and your profile.">
      <TextField label="Branch name" hint="As customers know it" autoComplete="off" {...form.field('name')} />
      <Box>
        <Facts facts={facts} />
      </Box>
      <div>
        <Button onClick={onOpen}>Change these details</Button>
      </div>
    </FormSection>
  )
}

/** Says a way on where an email has a login already. */
function emailRefusal({ code, statusMessage }: ApiError, email: string, own: string): FormFailure | undefined {
  if (code !== 'NAME_TAKEN') return undefined
  const message =
    email.trim().toLowerCase() === own
      ? 'This is your own login. The branch needs another email address, or none.'
      : 'This email already has a login. Use another one for the branch, or none.'
  return { message: statusMessage, fields: [{ path: 'email', message }] }
}

const KINDS: readonly { value: BranchKind; label: string; note: string }[] = [
  { value: 'permanent', label: 'Permanent', note: 'Open until it is deactivated' },
  { value: 'adhoc', label: 'Adhoc', note: 'For some days only' },
]

const KindField = ({ form }: { form: BranchFormFields }) => {
  const { value, onChange, ...kind } = form.control('kind')
  return (
    <RadioField
      label="Kind of branch"
      {...kind}
      value={value}
      onChange={(chosen) => onChange(chosen === 'adhoc' ? 'adhoc' : 'permanent')}
      options={KINDS}
    />
  )
}

export function EditBranchPage({ id }: { id: string }) {
  const read = useBranch(id)
  const { data: branch } = read
  usePageTitle(branch ? `Edit ${branch.name}` : 'Edit branch')
  return (
    <>
      <PageHeader
        back={
          <BackLink to="/branches/$type/$id" params={{ type: id, id: 'view' }}>
            {branch?.name ?? 'Branch'}
          </BackLink>
        }
        title={branch ? `Edit ${branch.name}` : 'Edit branch'}
        badge={branch && <AccountBadge status={branch.status} />}
        note={branch && `Branch code ${branch.code}`}
      />
      <RecordRead read={read} what="This branch" waitForNewest>
        {(one) => <BranchEditForm key={one.revision} branch={one} />}
      </RecordRead>
    </>
  )
}

/** Edits a branch, except its kind, which cannot change, and its PIN, which is set on its page. */
function BranchEditForm({ branch }: { branch: Branch }) {
  const navigate = useNavigate()
  const leave = () => void navigate({ to: '/branches/$type/$id', params: { type: branch.guid, id: 'view' } })
  const params = { id: branch.guid }
  const { login_name } = useUser()
  const { form, draft } = useRecordForm({
    draft: `branch/${branch.guid}`,
    schema: BranchEditFields,
    initial: toBranchForm(branch),
    send: (body) =>
      isAdhocBody(body) ? call(adhocBranches.update, { params, body }) : call(branches.update, { params, body }),
    saved: ({ name }) => {
      showToast({ tone: 'success', text: `${name} saved` })
      leave()
    },
    edits: { record: Branch, toForm: toBranchForm },
    refused: (error, { email }) => emailRefusal(error, email, login_name),
  })
  return (
    <RecordForm look="long" act="Save changes" form={form} draft={draft} onLeave={leave}>
      <BranchFormSections form={form} branch={branch} />
    </RecordForm>
  )
}

type BranchFormFields = Pick<FormApi<BranchValues>, 'control' | 'field' | 'values' | 'setValues'>

interface Props {
  form: BranchFormFields
  /** Set when a branch is edited. */
  branch?: Branch
  /** The field for the kind, for a new branch only. */
  kind?: Elements
}

/** The fields that creating and editing have in common (rule 7.3). */
function BranchFormSections({ form, branch, kind }: Props) {
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

/** The first and the last day of an adhoc branch, both included. */
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

/** Returns the organisation's contact if it is complete. Only a main account has it in its profile. */
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

/** The fields for the login email and the master. A master is not asked: it manages the branches that it creates. */
function LoginFields({ form, branch }: { form: BranchFormFields; branch?: Branch }) {
  const hasMasters = useHasMasters()
  const isEmailFixed =
    branch !== undefined && branch.account_guid !== null && branch.account_status !== 'Pending Activation'
  return (
    <FieldColumns>
      <TextField
        label="Login email"
        type="email"
        autoComplete="off"
        readOnly={isEmailFixed}
        hint={emailHint(branch, isEmailFixed)}
        {...form.field('email')}
      />
      {hasMasters && <MasterField form={form} branch={branch} />}
    </FieldColumns>
  )
}

function emailHint(branch: Branch | undefined, isFixed: boolean): string {
  if (isFixed) return 'To change this email, use the menu on the page of the branch.'
  if (branch?.email) return 'The activation link is sent here.'
  return 'Optional: for a manager of this branch only. We send an activation link there. Without it, you manage the branch.'
}

function MasterField({ form, branch }: { form: BranchFormFields; branch: Branch | undefined }) {
  const { data: entries, phase } = useMasters()
  const currentMaster = branch?.master_guid
    ? [{ guid: branch.master_guid, name: branch.master_name ?? 'Its master' }]
    : []
  const masters = entries ?? currentMaster
  return (
    <SelectField
      label="Managed by"
      hint={phase === 'failed' ? 'Connect once to load the list of masters.' : 'A master sees and edits its branches.'}
      {...form.field('master_guid')}
      options={[
        { value: '', label: 'Main account' },
        ...masters.map(({ guid, name }) => ({ value: guid, label: name })),
      ]}
    />
  )
}
