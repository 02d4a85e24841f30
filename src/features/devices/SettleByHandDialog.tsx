import { useId, useRef } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../../blocks/record/FormDialogActions.tsx'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import type { UnsettledHold } from '../../contract/devices/devices.ts'
import { LIMITS } from '../../contract/limits.ts'
import { settleHold } from '../../contract/redemptions/counter.ts'
import { formatCents } from '../../domain/money.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { TextArea } from '../../ui/form/TextFieldVariants.tsx'
import { useForm, type FormFailure } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'

interface Props {
  hold: UnsettledHold
  /** Reads the till and the list again. */
  onSettled: () => void
  onClose: () => void
}

const SUGGESTION = 'The customer paid with it'

/** Says for a till that cannot that a voucher was redeemed, and why one knows (rule 9.25). */
export function SettleByHandDialog({ hold, onSettled, onClose }: Props) {
  const id = useId()
  const reason = useRef<HTMLTextAreaElement>(null)
  const voucher = `${formatCents(hold.denomination_cents)} voucher ${formatSerial(hold.serial)}`
  const form = useForm({
    schema: settleHold.body,
    initial: { id: hold.id, reason: '' },
    submit: async (body) => {
      try {
        await call(settleHold, { body })
        showToast({ tone: 'success', text: `${voucher} is settled` })
        onSettled()
        onClose()
        return undefined
      } catch (error) {
        // The till or somebody else has settled it: the list shows an old state.
        if (isOver(error)) onSettled()
        return settleFailure(error)
      }
    },
  })
  useUnsavedWork('settle-by-hand', form.dirty)
  const suggest = () => {
    form.setValues({ reason: SUGGESTION })
    reason.current?.focus()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Settle this voucher by hand?"
      holdsForm
      initialFocus={reason}
      actions={<FormDialogActions act="Settle by hand" {...{ id, form }} onClose={onClose} />}
    >
      <Form form={form} id={id}>
        <p className="font-strong">
          <ExactSentence text={voucher} />
        </p>
        <p>
          {`You say that the customer paid with it. It counts as redeemed at ${formatInstant(new Date(hold.since))}, with your name and your reason. A person of the programme reviews it. It cannot be undone.`}
        </p>
        <TextArea label="Reason" maxLength={LIMITS.reasonLength} ref={reason} {...form.field('reason')} />
        {form.values.reason === '' && (
          <div>
            <Button onClick={suggest}>{SUGGESTION}</Button>
          </div>
        )}
      </Form>
    </Dialog>
  )
}

const isOver = (error: unknown) =>
  error instanceof ApiError && (error.code === 'INVALID_STATE' || error.code === 'NOT_FOUND')

/** In other words than the server has for everything of its kind. */
function settleFailure(error: unknown): FormFailure {
  if (isOver(error))
    return { message: 'It can no longer be settled: its till or somebody else was first, or its time is over.' }
  return toFormFailure(error)
}
