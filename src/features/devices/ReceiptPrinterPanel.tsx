import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { PrintOutcome, usePrinting, type Printing } from '../../blocks/printers/usePrinting.tsx'
import type { PrintedReceipt } from '../../blocks/vouchers/receipt.ts'
import {
  BAUD_RATES,
  changeReceiptPrinter,
  PAPER_WIDTHS,
  receiptPrinter,
  type Printer,
} from '../../state/receiptPrinter.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { Panel, Stack } from '../../ui/Panel.tsx'

type ConnectionKind = Printer['by']

const KIND_NAMES: Record<ConnectionKind, string> = { usb: 'USB', serial: 'Serial', bluetooth: 'Bluetooth' }

/** The connections to a printer that this browser supports. */
const SUPPORTED_KINDS = (['usb', 'serial', 'bluetooth'] as const).filter((by) => by in navigator)

/** Loads the code for printers, which other pages do not need. */
const loadPrinters = () => import('../../blocks/printers/printers.ts')

/** Sets the receipt printer of this device. The setting stays after a logout. `testPage` is printed as a test. */
export function ReceiptPrinterPanel({ testPage }: { testPage: PrintedReceipt }) {
  const { printer } = useSnapshot(receiptPrinter)
  const [problem, setProblem] = useState('')
  const printing = usePrinting(testPage)
  const connect = async (by: ConnectionKind) => {
    setProblem('')
    let askedAt = Infinity
    try {
      const { choosePrinter } = await loadPrinters()
      askedAt = performance.now()
      changeReceiptPrinter({ printer: await choosePrinter(by) })
    } catch (failure) {
      setProblem(describeProblem(failure, performance.now() - askedAt))
    }
  }
  return (
    <Panel title="Receipt printer">
      <Stack padded ref={useFocusKept(printer)}>
        {printer ? (
          <ChosenPrinter printer={printer} printing={printing} onConnect={connect} />
        ) : (
          <NoPrinter printing={printing} onConnect={connect} />
        )}
        <p role="alert" className="text-warn-text empty:hidden">
          {problem}
        </p>
      </Stack>
    </Panel>
  )
}

/** Moves the focus to the first button that takes the place of the pressed one, which disappears. */
function useFocusKept(printer: Printer | undefined) {
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(printer)
  useEffect(() => {
    const hasChanged = before.current !== printer
    before.current = printer
    if (hasChanged && document.activeElement === document.body) place.current?.querySelector('button')?.focus()
  }, [printer])
  return place
}

/** Less time than a person needs to close the browser's list. If a policy forbids printers, the same error comes sooner. */
const AT_ONCE_MS = 500

/** Returns a text about the failure. Empty if the person chose no printer. */
function describeProblem(failure: unknown, afterMs: number): string {
  if (!(failure instanceof DOMException) || failure.name !== 'NotFoundError') {
    return 'No printer was connected. Check that the printer is on, then try again.'
  }
  return afterMs < AT_ONCE_MS
    ? 'This browser does not let the portal use such a printer. Ask the person who manages it.'
    : ''
}

interface Connecting {
  printing: Printing
  onConnect: (by: ConnectionKind) => Promise<void>
}

function NoPrinter({ printing, onConnect }: Connecting) {
  if (SUPPORTED_KINDS.length === 0) {
    return (
      <>
        <p>This browser cannot reach a receipt printer by itself. Chrome and Edge on a computer or Android can.</p>
        <p className="text-muted">Receipts are printed with the browser’s own printing, as always.</p>
        <Actions>
          <Button onClick={printing.print}>Print a test</Button>
        </Actions>
      </>
    )
  }
  return (
    <>
      <p>Receipts are printed with the browser’s own printing. A printer connected here prints them at once.</p>
      <Actions>
        {SUPPORTED_KINDS.map((by) => (
          <Button key={by} onClick={() => void onConnect(by)}>
            {`Connect via ${by === 'serial' ? 'serial port' : KIND_NAMES[by]}`}
          </Button>
        ))}
        <Button onClick={printing.print}>Print a test</Button>
      </Actions>
      <p className="text-muted">For 58 mm and 80 mm printers that support ESC/POS, as nearly all do.</p>
    </>
  )
}

function ChosenPrinter({ printer, printing, onConnect }: Connecting & { printer: Printer }) {
  const { width, baud } = useSnapshot(receiptPrinter)
  const disconnect = async () => {
    changeReceiptPrinter({ printer: undefined })
    // If this fails, the browser continues to offer the printer; nothing else happens.
    await loadPrinters()
      .then(({ forgetPrinter }) => forgetPrinter(printer))
      .catch(() => undefined)
  }
  return (
    <>
      <div>
        <b className="font-strong">{printer.name}</b>
        <p className="text-muted">{KIND_NAMES[printer.by]}</p>
      </div>
      <RadioField
        label="Paper width"
        value={String(width)}
        options={PAPER_WIDTHS.map((mm) => ({ value: String(mm), label: `${mm} mm` }))}
        onChange={(value) => changeReceiptPrinter({ width: PAPER_WIDTHS.find((mm) => String(mm) === value) ?? width })}
      />
      {printer.by === 'serial' && (
        <SelectField
          className="max-w-[20rem]"
          label="Speed"
          hint="In baud, as shown on the printer’s self-test page."
          value={String(baud)}
          options={BAUD_RATES.map((rate) => ({ value: String(rate), label: String(rate) }))}
          onChange={(value) =>
            changeReceiptPrinter({ baud: BAUD_RATES.find((rate) => String(rate) === value) ?? baud })
          }
        />
      )}
      <PrintOutcome {...printing} />
      <Actions>
        <Button busy={printing.state.at === 'printing'} onClick={printing.print}>
          Print a test
        </Button>
        <Button onClick={() => void onConnect(printer.by)}>Connect again</Button>
        <Button onClick={() => void disconnect()}>Disconnect</Button>
      </Actions>
    </>
  )
}
