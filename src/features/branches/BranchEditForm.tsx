import { useNavigate } from '@tanstack/react-router'
import { adhocBranchApi, branchApi } from '../../api/business.ts'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { RecordFoot } from '../../blocks/record/RecordFormFoot.tsx'
import { StaleDialog } from '../../blocks/record/EditConflictDialog.tsx'
import { useRecordForm } from '../../blocks/record/useRecordForm.ts'
import { Branch } from '../../contract/branches.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { BRANCH_FIELD_LABELS, branchFieldWords } from './branchFieldLabels.ts'
import { BranchEditFields, isDated, toBranchForm } from './branchFields.ts'
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
    send: (body) => (isDated(body) ? adhocBranchApi.update({ params, body }) : branchApi.update({ params, body })),
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
        <RecordFoot act="Save changes" {...{ form, draft }} onLeave={leave} />
      </Form>
      {stale && (
        <StaleDialog
          stale={stale}
          labels={BRANCH_FIELD_LABELS}
          words={branchFieldWords(masters)}
          mine={form.values}
          onSettle={settle}
          onBack={putOff}
        />
      )}
    </>
  )
}
