import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { useProfile } from '../../blocks/accounts/useProfile.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../../blocks/record/FormDialogActions.tsx'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { Branch, branches } from '../../contract/branches.ts'
import { branchPin } from '../../contract/merchants/merchantFields.ts'
import type { VerificationMethod } from '../../contract/profile.ts'
import { pinPrefix } from '../../domain/branches.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { showToast } from '../../state/toasts.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { FieldWarning } from '../../ui/form/Field.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { useForm, type FormFailure } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Facts, Panel, type Fact } from '../../ui/Panel.tsx'
import { PinField } from './BranchFormSections.tsx'

/** Whether there is a PIN and whether it is weak. The PIN itself cannot be read again. */
export function PinPanel({ branch, onChanged }: { branch: Branch; onChanged: () => void }) {
  const [setting, setSetting] = useState(false)
  const mayEdit = usePermission('branches', 'edit')
  const offline = useOffline()
  // From the profile. Without a connection it may be unknown, and is left out.
  const method = useProfile().data?.verification_method
  const usedFor: Fact[] = method ? [['Used for', METHOD_USES[method]]] : []
  const action = mayEdit && (
    <>
      <NeedsConnection className="ml-auto" />
      <Button variant="quiet" className="-mr-2" aria-disabled={offline || undefined} onClick={() => setSetting(true)}>
        Set a new PIN
      </Button>
    </>
  )
  return (
    <Panel title="Branch PIN" action={action}>
      <Facts facts={[['PIN', <PinState key="pin" pin={branch.pin} />], ...usedFor]} />
      {setting && <PinDialog {...{ branch, onChanged }} onClose={() => setSetting(false)} />}
    </Panel>
  )
}

const METHOD_USES: Record<VerificationMethod, string> = {
  Serial: 'Not used: vouchers are verified by serial number only',
  'Serial and branch PIN': 'Verifying vouchers: serial number and branch PIN',
}

function PinState({ pin: { set, weak, set_at } }: Pick<Branch, 'pin'>) {
  if (!set) return <span className="text-muted">Not set</span>
  return (
    <>
      <span>{set_at ? `Set on ${formatDay(new Date(set_at))}` : 'Set'}</span>
      {weak && <FieldWarning>Weak: easy to guess.</FieldWarning>}
    </>
  )
}

interface PinDialogProps {
  branch: Branch
  onChanged: () => void
  onClose: () => void
}

function PinDialog({ branch, ...rest }: PinDialogProps) {
  return hasDetails(branch) ? <NewPin branch={branch} {...rest} /> : <DetailsFirst branch={branch} {...rest} />
}

function NewPin({ branch, onChanged, onClose }: PinDialogProps & { branch: BranchWithDetails }) {
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
const DetailsFirst = ({ branch, onClose }: Pick<PinDialogProps, 'branch' | 'onClose'>) => (
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
