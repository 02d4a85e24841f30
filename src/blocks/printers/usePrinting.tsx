import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { receiptPrinter } from '../../state/receiptPrinter.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { PrintedReceipt } from '../vouchers/receipt.ts'
import { PrinterFailure, type PrinterFailureCode } from './PrinterFailure.ts'

type PrintState = { at: 'idle' | 'printing' | 'sent' } | { at: 'failed'; code: keyof typeof FAILURES }

export interface Printing {
  state: PrintState
  /** Prints on the printer of this device, or by the browser if there is none. */
  print: () => void
  printByBrowser: () => void
}

/** Prints `receipt`; the browser prints the part of the page that is marked for it. Needs no connection to the server. */
export function usePrinting(receipt: PrintedReceipt): Printing {
  const { printer } = useSnapshot(receiptPrinter)
  const [state, setState] = useState<PrintState>({ at: 'idle' })
  const printByBrowser = () => {
    const timer = setTimeout(() => setState({ at: 'failed', code: 'NOT_LET' }), PRINTS_WITHIN_MS)
    const markBegun = () => {
      clearTimeout(timer)
      setState({ at: 'idle' })
    }
    addEventListener('beforeprint', markBegun, { once: true })
    window.print()
  }
  const printOnPrinter = () => {
    setState({ at: 'printing' })
    sendToPrinter(receipt).then(
      () => setState({ at: 'sent' }),
      (failure: unknown) => setState({ at: 'failed', code: codeOf(failure) }),
    )
  }
  return { state, print: printer ? printOnPrinter : printByBrowser, printByBrowser }
}

/** If a policy forbids printing, `print` does nothing, and no `beforeprint` comes within this time. */
const PRINTS_WITHIN_MS = 1_000

async function sendToPrinter(receipt: PrintedReceipt): Promise<void> {
  const [{ receiptBytes }, { writeToPrinter }] = await Promise.all([
    import('./receiptBytes.ts'),
    import('./printers.ts'),
  ])
  const { printer, width, baud } = receiptPrinter
  if (printer) await writeToPrinter(printer, receiptBytes(receipt, width), baud)
}

const codeOf = (failure: unknown) => (failure instanceof PrinterFailure ? failure.code : 'OTHER')

export const PrintButton = ({
  state,
  print,
  variant,
  label = 'Print',
}: Printing & { variant?: 'plain' | 'primary'; label?: string }) => (
  <Button variant={variant} busy={state.at === 'printing'} onClick={print}>
    {label}
  </Button>
)

/** Shows the result of printing. The status element must already be on the page when its text changes, or it is not read out. */
export const PrintOutcome = ({ state, printByBrowser }: Printing) => (
  <>
    <p role="status" className="text-muted empty:hidden print:hidden">
      {state.at === 'sent' && 'Sent to the printer.'}
    </p>
    {state.at === 'failed' && (
      <Notice tone="warn" role="alert" title={FAILURES[state.code].title} className="print:hidden">
        <p>{FAILURES[state.code].text}</p>
        {state.code !== 'NOT_LET' && (
          <Button className="mt-2" onClick={printByBrowser}>
            Print with the browser
          </Button>
        )}
      </Notice>
    )}
  </>
)

/** `NOT_LET`: the browser does not allow printing. `OTHER`: no fault of the printer, for example a missing file of the portal. */
const FAILURES: Record<PrinterFailureCode | 'NOT_LET' | 'OTHER', { title: string; text: string }> = {
  PRINTER_GONE: {
    title: 'The printer was not found',
    text: 'Is it switched on, and plugged in or nearby? Then print again. If not, connect it again under “This device”.',
  },
  PRINTER_BUSY: {
    title: 'The printer is in use',
    text: 'Another program or tab is using it. Close it, then print again.',
  },
  PRINTER_STUCK: {
    title: 'The printer has stopped',
    text: 'Check its paper and its cover. Then print again.',
  },
  PRINTER_UNKNOWN: {
    title: 'The portal cannot print on this printer',
    text: 'The portal does not support this printer.',
  },
  NOT_LET: {
    title: 'This browser does not let the portal print',
    text: 'Ask who manages it. If its print window is open, go on there.',
  },
  OTHER: {
    title: 'This could not be printed',
    text: 'Nothing was changed. Print again, or print with the browser.',
  },
}
