import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'receipt-printer'

/** The data that each browser API needs to find the same printer again without asking the user. */
const Printer = v.variant('by', [
  v.object({
    by: v.literal('usb'),
    name: v.string(),
    vendorId: v.number(),
    productId: v.number(),
    serialNumber: v.nullable(v.string()),
  }),
  /** `vendorId`, `productId`: those of the USB cable or adapter; `null` for a built-in port. */
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
  /** The width of the paper in millimetres. */
  width: v.picklist(PAPER_WIDTHS),
  /** The speed of a serial printer in baud. The printer's own test page shows it. */
  baud: v.picklist(BAUD_RATES),
})

type Setting = v.InferOutput<typeof Setting>

export type PaperWidth = Setting['width']

const NONE: Setting = { printer: undefined, width: 80, baud: 9600 }

/** The printer for receipts of this device; without one, the browser prints them. It belongs to the device and stays after a logout. */
export const receiptPrinter = proxy<Setting>(readStored(KEY, Setting) ?? { ...NONE })

onStoredElsewhere(KEY, () => Object.assign(receiptPrinter, NONE, readStored(KEY, Setting)))

export function changeReceiptPrinter(changes: Partial<Setting>): void {
  Object.assign(receiptPrinter, changes)
  writeStored(KEY, receiptPrinter)
}
