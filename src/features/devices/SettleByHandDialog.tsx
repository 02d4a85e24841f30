import { useRef } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { FormDialog } from '../../blocks/record/FormDialog.tsx'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import type { UnsettledHold } from '../../contract/devices/devices.ts'
import { LIMITS } from '../../contract/limits.ts'
import { settleHold } from '../../contract/redemptions/counter.ts'
import { formatCents } from '../../domain/money.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { Button } from '../../ui/Button.tsx'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { TextArea } from '../../ui/form/TextFieldVariants.tsx'

interface Props {
  hold: UnsettledHold
  /** Reads the till and the list again. */
  onSettled: () => void
  onClose: () => void
}

const SUGGESTION = 'The customer paid with it'

/** Records for a till that a voucher was redeemed, with a reason (rule 9.25). */
export function SettleByHandDialog({ hold, onSettled, onClose }: Props) {
  const reason = useRef<HTMLTextAreaElement>(null)
  const voucher = `${formatCents(hold.denomination_cents)} voucher ${formatSerial(hold.serial)}`
  return (
    <FormDialog
      title="Settle this voucher by hand?"
      act="Settle by hand"
      schema={settleHold.body}
      initial={{ id: hold.id, reason: '' }}
      send={(body) => call(settleHold, { body })}
      done={() => {
        onSettled()
        return `${voucher} is settled`
      }}
      failed={(error) => {
        if (!isSettledOrOver(error)) return toFormFailure(error)
        // The till or another user may have settled it, so the list is read again.
        onSettled()
        return { message: 'It can no longer be settled: it was settled already, or its time is over.' }
      }}
      onClose={onClose}
    >
      {({ field, values, setValues }) => (
        <>
          <p className="font-strong">
            <ExactSentence text={voucher} />
          </p>
          <p>
            {`You confirm that the customer paid with it. It counts as redeemed at ${formatInstant(new Date(hold.since))}, with your name and reason. The programme reviews it. This cannot be undone.`}
          </p>
          <TextArea label="Reason" maxLength={LIMITS.reasonLength} ref={reason} {...field('reason')} />
          {values.reason === '' && (
            <div>
              <Button
                onClick={() => {
                  setValues({ reason: SUGGESTION })
                  reason.current?.focus()
                }}
              >
                {SUGGESTION}
              </Button>
            </div>
          )}
        </>
      )}
    </FormDialog>
  )
}

const isSettledOrOver = (error: unknown) =>
  error instanceof ApiError && (error.code === 'INVALID_STATE' || error.code === 'NOT_FOUND')
