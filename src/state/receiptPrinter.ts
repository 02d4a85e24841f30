import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'receipt-printer'

/** By which the same printer is found again without a question, as its browser API names it. */
const Printer = v.variant('by', [
  v.object({
    by: v.literal('usb'),
    name: v.string(),
    vendorId: v.number(),
    productId: v.number(),
    serialNumber: v.nullable(v.string()),
  }),
  /** `vendorId`, `productId`: of the USB cable or adapter; `null` at a built-in port. */
  v.object({
    by: v.literal('serial'),
    name: v.string(),
    vendorId: v.nullable(v.number()),
    productId: v.nullable(v.number()),
  }),
  v.object({ by: v.literal('bluetooth'), name: v.string(), id: v.string() }),
])

export type Printer = v.InferOutput<typeof Printer>

export const PAPER_WIDTHS = [58, 80] as const
export const BAUD_RATES = [9600, 19_200, 38_400, 115_200] as const

const Setting = v.object({
  printer: v.optional(Printer),
  /** Of the paper, in millimetres. */
  width: v.picklist(PAPER_WIDTHS),
  /** Of a serial printer, which says it on its own test print. */
  baud: v.picklist(BAUD_RATES),
})

type Setting = v.InferOutput<typeof Setting>

export type PaperWidth = Setting['width']

const NONE: Setting = { printer: undefined, width: 80, baud: 9600 }

/** Where receipts of this device are printed; without a printer, by the browser. Of the device: it stays when somebody logs out. */
export const receiptPrinter = proxy<Setting>(readStored(KEY, Setting) ?? { ...NONE })

onStoredElsewhere(KEY, () => Object.assign(receiptPrinter, NONE, readStored(KEY, Setting)))

export function changeReceiptPrinter(next: Partial<Setting>): void {
  Object.assign(receiptPrinter, next)
  writeStored(KEY, receiptPrinter)
}
