import { useRef, useState, type FormEvent } from 'react'
import * as v from 'valibot'
import { serial as Serial } from '../../../contract/vouchers.ts'
import { formatSerial, serialFromScan } from '../../../domain/vouchers.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldBox } from '../../../ui/form/CheckboxField.tsx'
import { FieldError } from '../../../ui/form/Field.tsx'
import { Keypad, PAD_GRID, PadInput } from './Keypad.tsx'

const SERIAL_LENGTH = 13

interface Props {
  onSerial: (serial: string) => void
  /** Goes back to the tray, if it has vouchers. */
  onBack: (() => void) | undefined
}

/** Asks for the number of a voucher that no scanner can read. A number with a wrong check digit is never sent. */
export function SerialPad({ onSerial, onBack }: Props) {
  const [digits, setDigits] = useState('')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const change = (typed: string) => {
    setDigits(serialFromScan(typed).replaceAll(/\D/g, '').slice(0, SERIAL_LENGTH))
    setProblem(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = v.safeParse(Serial, digits)
    if (parsed.success) {
      setDigits('')
      return onSerial(parsed.output)
    }
    setProblem(`Check the number: it ${parsed.issues[0].message}.`)
    input.current?.focus()
  }
  return (
    <form className={`gap-4 low:gap-3 phone:gap-3 ${PAD_GRID}`} onSubmit={submit} noValidate>
      <FieldBox>
        <label htmlFor="serial" className="font-strong">
          Or type the serial number
        </label>
        <span className="text-muted" id="serial-hint">
          13 digits, under the barcode
        </span>
        {problem && (
          <FieldError id="serial-problem" role="alert">
            {problem}
          </FieldError>
        )}
        <PadInput
          ref={input}
          id="serial"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the cashier has just asked for it
          autoFocus={onBack !== undefined}
          enterKeyHint="go"
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? 'serial-hint serial-problem' : 'serial-hint'}
          value={formatSerial(digits)}
          onChange={(event) => change(event.target.value)}
        />
      </FieldBox>
      <Keypad
        onDigit={(digit) => change(digits + digit)}
        onClear={() => change('')}
        onDelete={() => change(digits.slice(0, -1))}
      />
      <div className={onBack ? 'grid grid-cols-[1fr_2fr] gap-3' : 'grid'}>
        {onBack && (
          <Button big="tight" onClick={onBack}>
            Back
          </Button>
        )}
        <Button
          type="submit"
          variant="primary"
          big={onBack ? 'tight' : true}
          wide
          disabled={digits.length < SERIAL_LENGTH}
        >
          {submitWord(digits.length)}
        </Button>
      </div>
    </form>
  )
}

function submitWord(typed: number) {
  const left = SERIAL_LENGTH - typed
  if (left === 0) return 'Check voucher'
  return typed === 0 ? `Enter ${SERIAL_LENGTH} digits` : `${left} more ${left === 1 ? 'digit' : 'digits'}`
}
