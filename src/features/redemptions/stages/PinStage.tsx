import { useState, type FormEvent } from 'react'
import * as v from 'valibot'
import { branchPin } from '../../../contract/fieldSchemas.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import type { Refusal } from '../../../offline/store/till.ts'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { useEscape } from '../useEscape.ts'
import { Keypad } from './Keypad.tsx'

interface Props {
  serial: string
  problem?: Refusal | undefined
  onPin: (pin: string) => void
  onCancel: () => void
}

const LENGTH = 6

/** Asks the branch's PIN for each voucher, where the merchant chose so (rule 6.2). It is never stored and never shown. */
export function PinStage({ serial, problem, onPin, onCancel }: Props) {
  const [digits, setDigits] = useState('')
  useEscape(onCancel)
  const change = (typed: string) => setDigits(typed.replaceAll(/\D/g, '').slice(0, LENGTH))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = v.safeParse(branchPin, digits)
    if (parsed.success) onPin(parsed.output)
  }
  return (
    <main className="ask" id="main" tabIndex={-1}>
      <form className="pad-box pin" onSubmit={submit} noValidate>
        <div className="field">
          <h1>
            <label htmlFor="pin">Branch PIN</label>
          </h1>
          <span className="hint" id="pin-hint">
            6 digits, for voucher {formatSerial(serial)}
          </span>
          {problem && (
            <span className="err" id="pin-problem" role="alert">
              <Icon name="alert" small />
              {problem.code === 'PIN_WRONG' ? 'The PIN is not right. Nothing was redeemed.' : problem.message}
            </span>
          )}
          <input
            id="pin"
            className="serial-in"
            type="password"
            inputMode="numeric"
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this screen, and a cashier has no hand free
            autoFocus
            aria-describedby={problem ? 'pin-hint pin-problem' : 'pin-hint'}
            value={digits}
            onChange={(event) => change(event.target.value)}
          />
        </div>
        <Keypad
          disabled={false}
          onDigit={(digit) => change(digits + digit)}
          onClear={() => setDigits('')}
          onDelete={() => setDigits(digits.slice(0, -1))}
        />
        <div className="choice">
          <Button big onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" big variant="primary" disabled={digits.length < LENGTH}>
            Check voucher
          </Button>
        </div>
      </form>
    </main>
  )
}
