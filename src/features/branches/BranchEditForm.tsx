import { useNavigate } from '@tanstack/react-router'
import { adhocBranchApi, branchApi } from '../../api/business.ts'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { RecordFormFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { EditConflictDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { Branch } from '../../contract/branches.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { BRANCH_FIELD_LABELS, branchValueText } from './branchFieldLabels.ts'
import { BranchEditFields, isAdhocBody, toBranchForm } from './branchFields.ts'
import { BranchFormSections } from './BranchFormSections.tsx'
import { useMasters } from './useMasters.ts'

/** Everything of a branch but its PIN, which is set on its page. Its kind stays. */
export function BranchEditForm({ branch }: { branch: Branch }) {
  const navigate = useNavigate()
  const leave = () => void navigate({ to: '/branches/$type/$id', params: { type: branch.guid, id: 'view' } })
  const params = { id: branch.guid }
  const { entries: masters = [] } = useMasters()
  const { id, form, draft, stale, settle, putOff } = useRecordForm({
    draft: `branch/${branch.guid}`,
    schema: BranchEditFields,
    initial: toBranchForm(branch),
    send: (body) => (isAdhocBody(body) ? adhocBranchApi.update({ params, body }) : branchApi.update({ params, body })),
    saved: ({ name }) => {
      showToast({ tone: 'success', text: `${name} saved` })
      leave()
    },
    edits: { record: Branch, toForm: toBranchForm },
  })
  return (
    <>
      <Form form={form} id={id} className="form long">
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
