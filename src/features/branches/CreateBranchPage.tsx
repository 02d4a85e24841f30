import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { RecordFormFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { adhocBranches, branches, type Branch } from '../../contract/branches.ts'
import type { BranchKind } from '../../contract/tables/lists.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { FormSection } from '../../ui/form/LongForm.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { emptyBranch, isAdhocBody, NewBranchFields } from './branchFields.ts'
import { BranchFormSections, PinField, type BranchFormFields } from './BranchFormSections.tsx'

/** `kind`: the default, by the list that the page was opened from. */
export function CreateBranchPage({ kind }: { kind: BranchKind }) {
  usePageTitle('Create branch')
  const navigate = useNavigate()
  const { merchant_id } = useUser()
  const open = ({ guid, name, email }: Branch) => {
    showToast({ tone: 'success', text: `${name} created. Activation email sent to ${email}` })
    void navigate({ to: '/branches/$type/$id', params: { type: guid, id: 'view' } })
  }
  const { id, form, draft } = useRecordForm({
    draft: 'branch/create',
    secret: ['pin'],
    schema: NewBranchFields,
    initial: emptyBranch(kind, merchant_id),
    send: (body) => (isAdhocBody(body) ? call(adhocBranches.create, { body }) : call(branches.create, { body })),
    saved: open,
  })
  return (
    <>
      <PageHeader
        back={<BackLink to="/branches">Branches</BackLink>}
        title="Create branch"
        note="We email an activation link to the branch login. You can add POS users right away."
      />
      <Form form={form} id={id} look="long">
        <DraftNotice draft={draft} />
        <BranchFormSections form={form} kind={<KindField form={form} />} />
        <FormSection
          id="pin"
          number={5}
          title="Branch PIN"
          note="Asked at the counter where vouchers are checked with it."
        >
          <PinField {...form.field('pin')} />
        </FormSection>
        <RecordFormFoot act="Create branch" {...{ form, draft }} onLeave={() => void navigate({ to: '/branches' })} />
      </Form>
    </>
  )
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
