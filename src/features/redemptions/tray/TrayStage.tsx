import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { useSnapshot } from 'valtio/react'
import { Money } from '../../../blocks/vouchers/Money.tsx'
import { takenOff } from '../../../domain/bill.ts'
import { centsFromText, centsAsDecimal, formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import { confirm } from '../../../state/dialogs.ts'
import { Actions, Button } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { ExactSentence } from '../../../ui/ExactSentence.tsx'
import { FieldError } from '../../../ui/form/Field.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { CameraScanner } from '../camera/CameraScanner.tsx'
import { useEscape } from '../useEscape.ts'
import { CustomerView } from '../verdict/CustomerView.tsx'
import { Serial } from '../verdict/Ticket.tsx'
import { noChangeText } from '../verdict/verdicts.ts'
import { rowWords } from './rowWords.ts'
import { SerialPad } from './SerialPad.tsx'
import { chosenRows, isChecking, isRedeemable, sumOfRows, type Tray, type TrayRow, type TrayState } from './Tray.ts'
import type { RowWords } from './words.ts'

interface Props {
  tray: Tray
  state: TrayState
  /** Called with a voucher that was typed or read by the camera. */
  onScan: (scanned: string) => void
  /** Called when rows leave the tray without being redeemed. */
  onRemove: (rows: readonly TrayRow[]) => void
  /** Practice vouchers in place of the camera. */
  papers?: Elements | undefined
}

/** Shows the camera beside the tray. The keypad replaces an empty tray, or any tray when the cashier asks for it. */
export function TrayStage({ tray, state, onScan, onRemove, papers }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isEmpty = state.rows.length === 0
  const lastScan = `${state.rows.at(-1)?.key} ${state.rescan?.times}`
  /** The last scan before the cashier opened the keypad. A later scan closes the keypad, so that the voucher is seen. */
  const [keypadAfter, setKeypadAfter] = useState<string>()
  const isTyping = !isEmpty && lastScan === keypadAfter
  const leaveKeypad = () => setKeypadAfter(undefined)
  useEffect(() => {
    // Sets the focus if its element has left the screen, but not on a page that has just been loaded.
    if (isEmpty && navigator.userActivation?.hasBeenActive && document.activeElement === document.body)
      heading.current?.focus()
  }, [isEmpty])
  const clear = async () => {
    const held = state.rows.filter(isRedeemable)
    if (held.length > 1 && !(await confirm(giveBackQuestion(held.length, sumOfRows(held))))) return
    onRemove(state.rows)
    tray.clear()
  }
  useEscape(isEmpty || state.isActing ? undefined : isTyping ? leaveKeypad : () => void clear())
  const scanTyped = (scanned: string) => {
    leaveKeypad()
    onScan(scanned)
  }
  const showsTray = !isEmpty && !isTyping
  return (
    <main
      className={`grid flex-1 grid-cols-[minmax(0,1fr)_26rem] gap-6 px-(--gutter) py-6 low:py-2 narrow:grid-cols-1 narrow:grid-rows-[minmax(15rem,1fr)_auto] phone:gap-4 phone:p-4 ${showsTray ? 'phone:grid-rows-[auto_1fr]' : 'phone:grid-rows-[1fr_auto]'}`}
      id="main"
      tabIndex={-1}
    >
      {!showsTray && (
        <h1 ref={heading} tabIndex={-1} className="sr-only">
          Scan a voucher
        </h1>
      )}
      {papers ?? (
        <CameraScanner
          onCode={onScan}
          paused={state.isActing}
          onType={showsTray ? () => setKeypadAfter(lastScan) : undefined}
        />
      )}
      {showsTray ? (
        <TrayPanel tray={tray} state={state} onRemove={onRemove} onClear={() => void clear()} />
      ) : (
        <SerialPad onSerial={scanTyped} onBack={isEmpty ? undefined : leaveKeypad} />
      )}
    </main>
  )
}

const giveBackQuestion = (count: number, cents: number) => ({
  title: `Give back ${pluralize(count, 'voucher')}?`,
  consequence: `${formatCents(cents)} leaves the tray. Nothing is redeemed, and the vouchers stay valid.`,
  act: 'Give back all',
  dismiss: 'Keep them',
  destructive: true,
})

interface PanelProps extends Pick<Props, 'tray' | 'state' | 'onRemove'> {
  onClear: () => void
}

function TrayPanel({ tray, state, onRemove, onClear }: PanelProps) {
  const { rows, isUnstored } = state
  const connection = useSnapshot(connectivity)
  const chosen = chosenRows(state)
  const lastBad = rows.findLast((row) => !isRedeemable(row))?.key
  /** The row that the cashier opened or closed. The choice ends with the next scan, and a bad voucher then opens automatically. */
  const [chosenRow, setChosenRow] = useState<{ key: string | undefined; newest: string | undefined }>()
  const [customer, setCustomer] = useState<RowWords>()
  const list = useRef<HTMLOListElement>(null)
  const newest = rows.at(-1)?.key
  const opened = chosenRow?.newest === newest ? chosenRow?.key : lastBad === newest ? newest : undefined
  useEffect(() => {
    // The braces drop the promise that newer browsers return: it is not a valid cleanup of an effect.
    list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' })
    // Scrolls again when a row opens, because an open row is taller.
  }, [newest, opened])
  const counted = rows.filter(isRedeemable).length
  return (
    <section
      className="flex max-h-[max(24rem,calc(100dvh-11.75rem))] min-h-0 low:max-h-[calc(100dvh-9.75rem)] flex-col self-stretch rounded-2 border border-border bg-surface narrow:max-h-[max(24rem,calc(100dvh-28rem))] phone:max-h-[max(24rem,calc(100dvh-15.5rem))] tiny:max-h-[max(21rem,calc(100dvh-17.75rem))]"
      aria-label="Vouchers of this customer"
    >
      <header className="flex min-h-[3.5rem] flex-none items-center gap-3 border-b border-border px-5 phone:px-4 tiny:min-h-0 tiny:py-1">
        <h1 className="text-xl">{pluralize(counted || rows.length, 'voucher')}</h1>
        <Button className="ml-auto" onClick={onClear}>
          Clear
        </Button>
      </header>
      <ol ref={list} className="min-h-[4.5rem] flex-1 overflow-auto" aria-label="Vouchers in the tray">
        {rows.map((row) => (
          <Row
            key={row.key}
            row={row}
            words={rowWords(
              row,
              connection,
              chosen.some((one) => one === row),
            )}
            isOpen={row.key === opened}
            flash={state.rescan?.key === row.key ? state.rescan.times : 0}
            onOpen={(isOpen) => setChosenRow({ key: isOpen ? row.key : undefined, newest })}
            onCustomer={setCustomer}
            onAgain={() => tray.scan(row.code ?? row.serial)}
            onGiveBack={() => {
              onRemove([row])
              tray.giveBack(row.key)
            }}
          />
        ))}
      </ol>
      {isUnstored && (
        <Notice tone="danger" role="alert" title="Nothing was redeemed" className="mx-5 mt-4 phone:mx-4">
          <p>This device cannot store it. Free some space or leave the private window, then try again.</p>
        </Notice>
      )}
      <TrayFoot tray={tray} state={state} chosen={chosen} onClear={onClear} />
      {customer && (
        <CustomerView
          tone={customer.tone}
          tell={customer.tell}
          cents={customer.cents}
          onBack={() => setCustomer(undefined)}
        />
      )}
    </section>
  )
}

const ROW_TONES: Record<RowWords['tone'], { row: string; word: string }> = {
  good: { row: '', word: '' },
  checking: { row: '', word: 'text-muted' },
  refused: { row: 'bg-danger-surface', word: 'text-danger-text' },
  unknown: { row: 'bg-danger-surface', word: 'text-danger-text' },
  'on hold': { row: 'bg-warn-surface', word: 'text-warn-text' },
  risk: { row: 'bg-warn-surface', word: 'text-warn-text' },
}

/** The icons of rows; a good row has none. */
const ROW_ICONS = {
  good: undefined,
  checking: undefined,
  refused: ICONS.x,
  unknown: ICONS.question,
  'on hold': ICONS.wait,
  risk: ICONS.alert,
} as const

interface RowProps {
  row: TrayRow
  words: RowWords
  isOpen: boolean
  /** The number of times that the voucher was scanned again. */
  flash: number
  onOpen: (isOpen: boolean) => void
  onCustomer: (words: RowWords) => void
  onAgain: () => void
  onGiveBack: () => void
}

function Row({ row, words, isOpen, flash, onOpen, onCustomer, onAgain, onGiveBack }: RowProps) {
  const { tone, word, fact, cents } = words
  const serial = row.is === 'unread' ? '' : row.serial
  const name = serial ? formatSerial(serial) : 'the code'
  return (
    <li
      className={`grid grid-cols-[6rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-border py-3 pr-3 pl-5 text-[1.125rem]/[1.625rem] phone:grid-cols-[5.25rem_minmax(0,1fr)_auto] phone:gap-x-2 phone:pl-4 tiny:grid-cols-[4.5rem_minmax(0,1fr)_auto] tiny:gap-x-2 tiny:pr-1 tiny:pl-3 ${ROW_TONES[tone].row}`}
      data-tone={tone}
    >
      <b
        className={`text-2xl font-strong phone:text-xl tiny:text-lg ${isRedeemable(row) ? '' : 'text-muted line-through decoration-2'}`}
        translate="no"
      >
        {cents === undefined ? '' : formatCents(cents)}
      </b>
      {/* The new key makes a new element, which starts the animation again. */}
      <span key={flash} className={flash > 0 ? 'animate-[fade_300ms_3]' : undefined} data-again={flash || undefined}>
        {words.happened ? (
          <button
            type="button"
            className={`-mt-2 -mb-1 flex min-h-control w-full items-center gap-2 text-left font-strong phone:gap-1 phone:text-base/[1.25rem] ${ROW_TONES[tone].word}`}
            aria-expanded={isOpen}
            onClick={() => onOpen(!isOpen)}
          >
            <RowSign tone={tone} />
            <span>{word}</span>
            <Icon drawing={ICONS.down} className={isOpen ? 'size-5 rotate-180' : 'size-5'} />
          </button>
        ) : (
          <strong className={`block font-strong ${ROW_TONES[tone].word}`}>{word}</strong>
        )}
        <small className="block text-base text-muted tiny:text-sm">
          {serial && <Serial serial={serial} />}
          {fact && <span>{serial ? ` · ${fact}` : fact}</span>}
        </small>
      </span>
      <Button variant="icon" aria-label={`${isRedeemable(row) ? 'Give back' : 'Remove'} ${name}`} onClick={onGiveBack}>
        <Icon drawing={ICONS.x} />
      </Button>
      {words.happened && isOpen && (
        <div className="col-span-full mt-2 grid gap-2 pr-2 text-base">
          <p>
            <ExactSentence text={[words.say, words.happened].filter(Boolean).join(' ')} />
          </p>
          {words.tell && (
            <p>
              <span>Tell the customer: </span>
              <ExactSentence text={words.tell} />
            </p>
          )}
          {words.todo && (
            <p>
              <ExactSentence text={words.todo} />
            </p>
          )}
          <Actions>
            {words.mayTryAgain && (
              <Button className="text-base" onClick={onAgain}>
                Try again
              </Button>
            )}
            {words.tell && (
              <Button className="text-base" onClick={() => onCustomer(words)}>
                Show customer
              </Button>
            )}
          </Actions>
        </div>
      )}
    </li>
  )
}

function RowSign({ tone }: Pick<RowWords, 'tone'>) {
  const drawing = ROW_ICONS[tone]
  return (
    drawing && (
      <span className="grid size-6 flex-none place-items-center rounded-pill border-2 border-current *:size-4">
        <Icon drawing={drawing} />
      </span>
    )
  )
}

interface TrayFootProps extends Pick<Props, 'tray' | 'state'> {
  chosen: readonly (TrayRow & { is: 'good' | 'offer' })[]
  onClear: () => void
}

/** Shows the bill, what is still to pay, and the button that redeems. */
function TrayFoot({ tray, state, chosen, onClear }: TrayFootProps) {
  const { bill, isActing } = state
  const act = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [hasProblem, setHasProblem] = useState(false)
  const worth = sumOfRows(chosen)
  const { off, lost } = takenOff(bill, worth)
  const risk = sumOfRows(chosen.filter(({ is }) => is === 'offer'))
  // A stored bill may be read after the field is drawn, so the field then shows that bill.
  const text = centsOfBill(typed) === bill ? typed : bill === undefined ? '' : centsAsDecimal(bill)
  const isInvalid = text.trim() !== '' && centsOfBill(text) === undefined
  useActFocus(act, risk > 0, `${chosen.length} ${isChecking(state)}`)
  const change = (now: string) => {
    setTyped(now)
    setHasProblem(false)
    tray.setBill(centsOfBill(now))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isInvalid) setHasProblem(true)
    // Enter after an amount only moves to the button.
    else act.current?.focus()
  }
  const redeem = () => {
    if (!isInvalid) return void tray.redeem()
    setHasProblem(true)
    field.current?.focus()
  }
  return (
    <form
      className="grid flex-none grid-cols-[minmax(0,1fr)] gap-3 border-t border-border p-5 pt-3 phone:p-4 phone:pt-3 tiny:gap-2 tiny:p-3 tiny:pt-1"
      onSubmit={submit}
      noValidate
    >
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2 text-[1.125rem]/[1.75rem] tiny:gap-y-1">
        <dt>
          <label htmlFor="bill">Bill</label>
        </dt>
        <dd className="text-right">
          <input
            ref={field}
            id="bill"
            className="min-h-control w-[7rem] border-b border-dashed border-border-control bg-transparent px-1 text-right placeholder:text-muted aria-invalid:border-danger-control"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            placeholder="optional"
            value={text}
            aria-invalid={hasProblem}
            aria-describedby={hasProblem ? 'bill-problem' : undefined}
            onChange={(event) => change(event.target.value)}
            onBlur={() => setHasProblem(isInvalid)}
          />
        </dd>
        {bill !== undefined && (
          <>
            <dt>Still to pay</dt>
            <dd className="text-right text-[1.75rem]/[2.25rem] font-strong">
              <Money cents={bill - off} />
            </dd>
          </>
        )}
      </dl>
      {hasProblem && (
        <FieldError id="bill-problem" role="alert">
          The bill must be an amount such as 32.50
        </FieldError>
      )}
      {lost > 0 && (
        <p className="font-label text-warn-text tiny:text-sm">
          <ExactSentence text={noChangeText(lost)} />
        </p>
      )}
      {risk > 0 && (
        <p className="font-label text-warn-text tiny:text-sm">
          <ExactSentence
            text={`${formatCents(risk)} at your shop’s risk: if it was used elsewhere, your shop is not paid.`}
          />
        </p>
      )}
      {chosen.length > 0 || isChecking(state) ? (
        <Button
          ref={act}
          big="tight"
          wide
          variant={risk > 0 ? 'bare' : 'approve'}
          className={`phone:px-2 phone:py-2 phone:text-lg phone:leading-6 phone:whitespace-normal tiny:text-base ${risk > 0 ? 'border-transparent bg-verdict-risk text-verdict-ink hover:bg-verdict-risk-hover' : ''}`}
          busy={isActing || isChecking(state)}
          onClick={redeem}
        >
          {isChecking(state) ? 'Checking' : <RedeemWords chosen={chosen} worth={worth} risk={risk} />}
        </Button>
      ) : (
        <Button ref={act} big wide variant="primary" onClick={onClear}>
          Next customer
        </Button>
      )}
    </form>
  )
}

/** Reads a bill in cents, undefined if it is no amount. `27.` counts as 27, because the cashier is still typing. */
const centsOfBill = (text: string) => centsFromText(text.replace(/[.,]$/, ''))

/**
 * Focuses the button after each `change`, if nothing else has the focus, so that Enter redeems. At the shop's risk it never does
 * so: an extra Enter of a scanner would accept the voucher.
 */
function useActFocus(act: RefObject<HTMLButtonElement | null>, isRisky: boolean, change: string) {
  useEffect(() => {
    if (!isRisky && (document.activeElement === document.body || document.activeElement?.id === 'main'))
      act.current?.focus()
    if (isRisky && document.activeElement === act.current) act.current?.blur()
  }, [act, isRisky, change])
}

interface RedeemWordsProps {
  chosen: readonly unknown[]
  worth: number
  /** The part of `worth` that was not checked. Both are in cents. */
  risk: number
}

function RedeemWords({ chosen, worth, risk }: RedeemWordsProps) {
  const isAllRisky = risk === worth && risk > 0
  const verb = isAllRisky ? 'Accept' : 'Redeem'
  return (
    <span className="leading-6 whitespace-normal">
      <span>{chosen.length === 1 ? `${verb} ` : `${verb} ${pluralize(chosen.length, 'voucher')}, `}</span>
      <Money cents={worth} />
      {isAllRisky && <span> at the shop’s risk</span>}
    </span>
  )
}
