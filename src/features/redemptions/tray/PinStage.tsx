import { useState, type FormEvent } from 'react'
import * as v from 'valibot'
import { branchPin } from '../../../contract/merchants/merchantFields.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import type { Refusal } from '../../../offline/store/till.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldBox } from '../../../ui/form/CheckboxField.tsx'
import { FieldError } from '../../../ui/form/Field.tsx'
import { CounterQuestion } from '../CounterHeader.tsx'
import { useEscape } from '../useEscape.ts'
import { Keypad, PAD_GRID, PadInput } from './Keypad.tsx'

interface Props {
  /** The vouchers that wait for the PIN. */
  serials: readonly string[]
  /** Why the server refused the last PIN. */
  problem: Refusal | undefined
  onPin: (pin: string) => void
  onCancel: () => void
}

const PIN_LENGTH = 6

/** Asks for the branch's PIN once for each tray, if the merchant requires a PIN (rule 6.2). The PIN is never stored or shown. */
export function PinStage({ serials, problem, onPin, onCancel }: Props) {
  const [digits, setDigits] = useState('')
  useEscape(onCancel)
  const change = (typed: string) => setDigits(typed.replaceAll(/\D/g, '').slice(0, PIN_LENGTH))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = v.safeParse(branchPin, digits)
    if (parsed.success) onPin(parsed.output)
  }
  return (
    <CounterQuestion>
      <form className={`w-[min(26rem,100%)] gap-6 ${PAD_GRID}`} onSubmit={submit} noValidate>
        <FieldBox>
          <h1 className="text-3xl small:text-2xl">
            <label htmlFor="pin">Branch PIN</label>
          </h1>
          <span className="text-muted" id="pin-hint">
            {`6 digits, for voucher ${serials.map(formatSerial).join(', ')}`}
          </span>
          {problem && (
            <FieldError id="pin-problem" role="alert">
              {problem.code === 'PIN_WRONG' ? 'The PIN is incorrect. Nothing was redeemed.' : problem.message}
            </FieldError>
          )}
          <PadInput
            id="pin"
            isSecret
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this screen, and a cashier has no hand free
            autoFocus
            aria-describedby={problem ? 'pin-hint pin-problem' : 'pin-hint'}
            value={digits}
            onChange={(event) => change(event.target.value)}
          />
        </FieldBox>
        <Keypad
          onDigit={(digit) => change(digits + digit)}
          onClear={() => setDigits('')}
          onDelete={() => setDigits(digits.slice(0, -1))}
        />
        <div className="grid grid-cols-[1fr_2fr] gap-3 phone:flex phone:flex-col-reverse">
          <Button big="tight" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" big="tight" variant="primary" disabled={digits.length < PIN_LENGTH}>
            Check voucher
          </Button>
        </div>
      </form>
    </CounterQuestion>
  )
}
