/**
 * `PRINTER_GONE`: not plugged in, switched off, out of range, or no longer allowed by the browser.
 * `PRINTER_BUSY`: somebody else has it: another program, another tab, or the driver of the system.
 * `PRINTER_STUCK`: it takes nothing more: no paper, or its cover is open.
 * `PRINTER_UNKNOWN`: the device has no known way to print.
 */
export type PrinterFailureCode = 'PRINTER_GONE' | 'PRINTER_BUSY' | 'PRINTER_STUCK' | 'PRINTER_UNKNOWN'

export class PrinterFailure extends Error {
  readonly code: PrinterFailureCode

  constructor(code: PrinterFailureCode, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}
