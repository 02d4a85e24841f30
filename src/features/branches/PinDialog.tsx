import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import * as v from 'valibot'
import { FormDialogActions } from '../../blocks/record/FormDialogActions.tsx'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import type { Branch } from '../../contract/branches.ts'
import { branchPin } from '../../contract/fieldSchemas.ts'
import { pinPrefix } from '../../domain/branches.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { PinField } from './PinField.tsx'
import { type BranchWithDetails, hasDetails, setPin } from './setPin.ts'

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
      // What was found to be newer is shown behind the dialog.
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
        <p>The PIN of now stops working at once. The new one is not shown again: tell it to your cashiers.</p>
        <PinField label="New PIN" {...form.field('pin')} />
      </Form>
    </Dialog>
  )
}

/** A branch of an earlier time may lack what every save of it has to hold. */
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
