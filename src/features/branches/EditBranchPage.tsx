import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { EditConflictDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { RecordFormFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { adhocBranches, Branch, branches } from '../../contract/branches.ts'
import { WEEKDAYS } from '../../contract/merchants/onboarding.ts'
import type { Option } from '../../contract/tables/tableQuery.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { BranchEditFields, isAdhocBody, toBranchForm, WEEK, type BranchValues } from './branchFields.ts'
import { BranchFormSections } from './BranchFormSections.tsx'
import { useBranch } from './useBranch.ts'
import { useMasters } from './useMasters.ts'

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
      <RecordRead read={read} what="This branch" settled>
        {(one) => <BranchEditForm key={one.revision} branch={one} />}
      </RecordRead>
    </>
  )
}

/** All of a branch but its kind, which stays, and its PIN, which is set on its page. */
function BranchEditForm({ branch }: { branch: Branch }) {
  const navigate = useNavigate()
  const leave = () => void navigate({ to: '/branches/$type/$id', params: { type: branch.guid, id: 'view' } })
  const params = { id: branch.guid }
  const { data: masters = [] } = useMasters()
  const { id, form, draft, stale, settle, putOff } = useRecordForm({
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
  })
  return (
    <>
      <Form form={form} id={id} look="long">
        <DraftNotice draft={draft} />
        <BranchFormSections {...{ form, branch }} />
        <RecordFormFoot act="Save changes" {...{ form, draft }} onLeave={leave} />
      </Form>
      {stale && (
        <EditConflictDialog
          stale={stale}
          labels={BRANCH_FIELD_LABELS}
          words={branchValueText(masters)}
          mine={form.values}
          onSettle={settle}
          onBack={putOff}
        />
      )}
    </>
  )
}

const TIME_LABELS = WEEKDAYS.flatMap((day) => [
  [`${WEEK}.${day}.opens`, `${day} opens`],
  [`${WEEK}.${day}.closes`, `${day} closes`],
])

/** What the fields are called where two versions of a branch are compared, in the order of the form. */
const BRANCH_FIELD_LABELS: Partial<Record<keyof BranchValues, string>> = {
  name: 'Branch name',
  code: 'Branch code',
  'business.address': 'Address',
  'business.postal_code': 'Postal code',
  'business.contact_number': 'Contact number',
  from_day: 'First day',
  to_day: 'Last day',
  own_hours: 'Operating hours',
  [WEEK]: 'Open days',
  ...Object.fromEntries(TIME_LABELS),
  'financial_contact.name': 'Financial contact: Name',
  'financial_contact.email': 'Financial contact: Email',
  'financial_contact.contact_number': 'Financial contact: Contact number',
  master_guid: 'Managed by',
  email: 'Login email',
}

/** A value of the form as it is shown in the comparison. */
const branchValueText =
  (masters: readonly Option[]) =>
  (name: string, value: unknown): string => {
    if (name === 'own_hours') return value ? 'Its own' : 'Those of the organisation'
    if (name === 'master_guid') return masterName(masters, String(value))
    if (Array.isArray(value)) return value.length === 0 ? 'None' : value.join(', ')
    if (value === '') return 'Empty'
    return name === 'from_day' || name === 'to_day' ? formatDay(String(value)) : String(value)
  }

function masterName(masters: readonly Option[], guid: string): string {
  if (guid === '') return 'Main account'
  return masters.find((master) => master.guid === guid)?.name ?? 'Another master'
}
