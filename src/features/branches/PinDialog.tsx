import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../../blocks/record/FormDialogActions.tsx'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { Branch, branches } from '../../contract/branches.ts'
import { branchPin } from '../../contract/merchants/merchantFields.ts'
import { pinPrefix } from '../../domain/branches.ts'
import { showToast } from '../../state/toasts.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { useForm, type FormFailure } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { PinField } from './PinField.tsx'

interface Props {
  branch: Branch
  onChanged: () => void
  onClose: () => void
}

export function PinDialog({ branch, ...rest }: Props) {
  return hasDetails(branch) ? <NewPin branch={branch} {...rest} /> : <DetailsFirst branch={branch} {...rest} />
}

function NewPin({ branch, onChanged, onClose }: Props & { branch: BranchWithDetails }) {
  const id = useId()
  const { merchant_id } = useUser()
  const form = useForm({
    schema: v.object({ pin: branchPin }),
    initial: { pin: pinPrefix(merchant_id) },
    submit: async ({ pin }) => {
      const failure = await setPin(branch, pin)
      // If the branch was changed meanwhile, the page behind the dialog shows the newer one.
      onChanged()
      if (failure) return failure
      showToast({ tone: 'success', text: `New PIN set for ${branch.name}` })
      onClose()
    },
  })
  useUnsavedWork('branch-pin', form.dirty)
  const actions = <FormDialogActions act="Set PIN" {...{ id, form }} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={`Set a new PIN for ${branch.name}`} holdsForm actions={actions}>
      <Form form={form} id={id}>
        <p>The current PIN stops working immediately. Write the new one down: it is not shown again.</p>
        <PinField label="New PIN" {...form.field('pin')} />
      </Form>
    </Dialog>
  )
}

/** An old branch may lack details that every save of it must have. */
const DetailsFirst = ({ branch, onClose }: Pick<Props, 'branch' | 'onClose'>) => (
  <Dialog
    open
    onClose={onClose}
    title="The details come first"
    actions={
      <>
        <Button onClick={onClose}>Cancel</Button>
        <Link
          to="/branches/$type/$id"
          params={{ type: branch.guid, id: 'edit' }}
          className={buttonClass({ variant: 'primary' })}
        >
          Edit branch
        </Link>
      </>
    }
  >
    <p>This branch has no business information, financial contact or email yet. Give those first, then set its PIN.</p>
  </Dialog>
)

/** A branch with all the details that a save of it must have. */
type BranchWithDetails = Branch & {
  [K in 'email' | 'business' | 'financial_contact']: NonNullable<Branch[K]>
}

const hasDetails = (branch: Branch): branch is BranchWithDetails =>
  branch.email !== null && branch.business !== null && branch.financial_contact !== null

/**
 * Sets the PIN and leaves everything else as the server has it. If somebody else has saved the branch meanwhile, the PIN is set
 * on their version. If they have set a PIN too, nothing is sent before this person has confirmed.
 */
async function setPin(branch: BranchWithDetails, pin: string): Promise<FormFailure | void> {
  try {
    await sendPin(branch, pin)
  } catch (error) {
    const current = newerBranch(error)
    if (!current) return toFormFailure(error)
    if (current.pin.set_at !== branch.pin.set_at) return { message: OTHER_PIN }
    return sendPin(current, pin).then(() => undefined, toFormFailure)
  }
}

const OTHER_PIN = 'Somebody else has set a new PIN meanwhile. Set yours again to replace it.'

const sendPin = (branch: BranchWithDetails, pin: string) => {
  const { guid, name, code, email, business, financial_contact, master_guid, revision } = branch
  const body = { name, code, email, business, financial_contact, master_guid, revision, pin }
  return call(branches.update, { params: { id: guid }, body })
}

function newerBranch(error: unknown): BranchWithDetails | undefined {
  if (!(error instanceof ApiError) || error.code !== 'STALE_REVISION') return undefined
  const current = v.parse(Branch, error.data['current'])
  return hasDetails(current) ? current : undefined
}
