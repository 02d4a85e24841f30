import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { useProfile } from '../../blocks/accounts/useProfile.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { FormDialog } from '../../blocks/record/FormDialog.tsx'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { Branch, branches } from '../../contract/branches.ts'
import { branchPin } from '../../contract/merchants/merchantFields.ts'
import type { VerificationMethod } from '../../contract/profile.ts'
import { isWeakPin, pinPrefix } from '../../domain/branches.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { FieldWarning, type ControlProps } from '../../ui/form/Field.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Facts, Panel, type Fact } from '../../ui/Panel.tsx'

/** Says if there is a PIN and if it is weak. The PIN itself cannot be read again. */
export function PinPanel({ branch, onChanged }: { branch: Branch; onChanged: () => void }) {
  const [setting, setSetting] = useState(false)
  const mayEdit = usePermission('branches', 'edit')
  const offline = useOffline()
  // Without a connection the method may be unknown. The panel then leaves it out.
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
      {setting && <PinDialog branch={branch} onChanged={onChanged} onClose={() => setSetting(false)} />}
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
  const { merchant_id } = useUser()
  return (
    <FormDialog
      title={`Set a new PIN for ${branch.name}`}
      act="Set PIN"
      schema={PinForm}
      initial={{ pin: pinPrefix(merchant_id) }}
      // If the branch was changed meanwhile, the page behind the dialog shows the newer one.
      send={({ pin }) => setPin(branch, pin).finally(onChanged)}
      done={() => `New PIN set for ${branch.name}`}
      failed={(error) => (isOtherPin(branch, newerBranch(error)) ? OTHER_PIN : toFormFailure(error))}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p>The current PIN stops working immediately. Write the new one down: it is not shown again.</p>
          <PinField label="New PIN" {...field('pin')} />
        </>
      )}
    </FormDialog>
  )
}

const PinForm = v.object({ pin: branchPin })

/** An old branch may lack details that every save requires. */
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
    <p>This branch has no business information or financial contact yet. Give those first, then set its PIN.</p>
  </Dialog>
)

/** A branch with all the details that a save requires. */
type BranchWithDetails = Branch & {
  [K in 'business' | 'financial_contact']: NonNullable<Branch[K]>
}

const hasDetails = (branch: Branch): branch is BranchWithDetails =>
  branch.business !== null && branch.financial_contact !== null

/**
 * Sets only the PIN. If someone else has changed the branch meanwhile, the PIN is set on the newer version. If they have
 * changed the PIN, this throws, so that the person can decide.
 */
async function setPin(branch: BranchWithDetails, pin: string): Promise<void> {
  try {
    await sendPin(branch, pin)
  } catch (error) {
    const current = newerBranch(error)
    if (!current || isOtherPin(branch, current)) throw error
    await sendPin(current, pin)
  }
}

const isOtherPin = (branch: Branch, newer: Branch | undefined) =>
  newer !== undefined && newer.pin.set_at !== branch.pin.set_at

const OTHER_PIN = { message: 'Somebody else has set a new PIN meanwhile. Set yours again to replace it.' }

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

/** The field for the PIN of a branch. A weak PIN gets a warning, but is not refused (rule 7.5). */
export function PinField({ label = 'Branch PIN', ...field }: ControlProps & { label?: string }) {
  const { merchant_id } = useUser()
  const weak = /^\d{6}$/.test(field.value) && isWeakPin(field.value, merchant_id)
  return (
    <div>
      <TextField
        label={label}
        hint="6 digits. We start it with your merchant ID; you can change it."
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
