/**
 * `PRINTER_GONE`: not plugged in, switched off, out of range, or no longer allowed by the browser. `PRINTER_BUSY`: another program, another tab or
 * the system's driver uses it. `PRINTER_STUCK`: it accepts no more data: no paper, or its cover is open. `PRINTER_UNKNOWN`: no known way to print on
 * it.
 */
export type PrinterFailureCode = 'PRINTER_GONE' | 'PRINTER_BUSY' | 'PRINTER_STUCK' | 'PRINTER_UNKNOWN'

export class PrinterFailure extends Error {
  readonly code: PrinterFailureCode

  constructor(code: PrinterFailureCode, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}
