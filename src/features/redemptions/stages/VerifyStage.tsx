import { useEffect, useRef, useState, type FormEvent } from 'react'
import * as v from 'valibot'
import { serial as Serial } from '../../../contract/vouchers.ts'
import { formatSerial, serialFromScan } from '../../../domain/vouchers.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldBox } from '../../../ui/form/CheckboxField.tsx'
import { FieldError } from '../../../ui/form/Field.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { CameraScanner } from '../camera/CameraScanner.tsx'
import type { CounterState } from '../counterState.ts'
import { useSecondsSince } from '../useCounter.ts'
import { VerdictStage } from '../verdict/VerdictStage.tsx'
import { Keypad, PAD, PadInput } from './Keypad.tsx'

interface VerifyStageProps {
  state: Extract<CounterState, { at: 'ready' | 'verifying' }>
  /** A serial, or the whole code of a signed voucher. */
  onSerial: (scanned: string) => void
}

/** An answer within this time needs no screen of its own. */
const LATE_SECONDS = 2

/** Ready and waiting are one screen, so that the camera stays open between them. Only a late answer gets a screen of its own. */
export function VerifyStage({ state, onSerial }: VerifyStageProps) {
  const waiting = state.at === 'verifying' ? state : undefined
  const seconds = useSecondsSince(waiting?.since)
  if (waiting && seconds >= LATE_SECONDS) return <LateVerifyStage {...waiting} />
  return <ReadyStage busy={waiting !== undefined} initial={waiting?.serial ?? ''} onSerial={onSerial} />
}

function LateVerifyStage({ serial, since }: { serial: string; since: number }) {
  const seconds = useSecondsSince(since)
  return (
    <VerdictStage
      verdict={{
        tone: 'checking',
        icon: ICONS.wait,
        word: 'Checking…',
        say: 'Please wait. Do not hand anything over yet.',
        ticket: {
          state: 'hollow',
          worth: 'Not checked',
          serial,
          stub: ['Waiting', `${seconds} s`],
        },
        happened: 'The connection is slow. Still checking.',
        tell: '“One moment, please.”',
        todo: 'Please wait. If there is no answer within 20 seconds, this screen says what to do.',
      }}
    />
  )
}

const LENGTH = 13

interface ReadyStageProps {
  busy: boolean
  /** The serial that is being verified; shown while busy. */
  initial: string
  onSerial: (serial: string) => void
}

/** Camera, hand scanner, keyboard and keypad all work at once, without a mode. A wrong check digit is never sent. */
function ReadyStage({ busy, initial, onSerial }: ReadyStageProps) {
  const [digits, setDigits] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // What had the focus has gone with its screen. A page that has just been loaded keeps the browser's order.
    if (navigator.userActivation?.hasBeenActive && document.activeElement === document.body) heading.current?.focus()
  }, [])

  const change = (typed: string) => {
    setDigits(serialFromScan(typed).replaceAll(/\D/g, '').slice(0, LENGTH))
    setProblem(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = v.safeParse(Serial, digits)
    if (parsed.success) return onSerial(parsed.output)
    setProblem(`Check the number: it ${parsed.issues[0].message}.`)
    input.current?.focus()
  }
  return (
    <main
      className="grid flex-1 grid-cols-[minmax(0,1fr)_26rem] gap-6 px-(--gutter) py-6 low:py-2 narrow:grid-cols-1 narrow:grid-rows-[minmax(15rem,1fr)_auto] phone:grid-rows-[1fr_auto] phone:gap-4 phone:p-4"
      id="main"
      tabIndex={-1}
    >
      <h1 ref={heading} tabIndex={-1} className="sr-only">
        Scan a voucher
      </h1>
      <CameraScanner onCode={onSerial} paused={busy} />
      <form className={`gap-4 low:gap-3 phone:gap-3 ${PAD}`} onSubmit={submit} noValidate>
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
            enterKeyHint="go"
            aria-invalid={problem !== undefined}
            aria-describedby={problem ? 'serial-hint serial-problem' : 'serial-hint'}
            value={formatSerial(busy ? initial : digits)}
            onChange={(event) => change(event.target.value)}
            disabled={busy}
          />
        </FieldBox>
        <Keypad
          disabled={busy}
          onDigit={(digit) => change(digits + digit)}
          onClear={() => change('')}
          onDelete={() => change(digits.slice(0, -1))}
        />
        <Button type="submit" variant="primary" big wide busy={busy} disabled={!busy && digits.length < LENGTH}>
          {busy ? 'Checking' : submitWord(digits.length)}
        </Button>
      </form>
    </main>
  )
}

function submitWord(typed: number) {
  const left = LENGTH - typed
  if (left === 0) return 'Check voucher'
  return `${left} ${left === 1 ? 'digit' : 'digits'} to go`
}
