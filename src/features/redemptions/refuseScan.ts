import { playSound } from '../../blocks/vouchers/playSound.ts'
import { formatSerial, scanProblem, serialFromScan, type ScanProblem } from '../../domain/vouchers.ts'
import { closeToast, closeToasts, showToast, toasts } from '../../state/toasts.ts'

/** The step that the cashier must take before scanning again. */
const FIRST = {
  act: 'Wait until these are redeemed, then scan',
  dialog: 'Close the dialog first, then scan',
  day: 'Go back to the counter first, then scan',
  /** The code was no voucher, and "Redeemed" stays on the screen: the cashier can scan at once. */
  redeemed: 'Scan',
} as const

const PROBLEMS: Record<Exclude<ScanProblem, 'misread'>, string> = {
  product: 'The code just scanned is not a voucher of this programme. Nothing was checked.',
  truncated: 'The scanner left out the last digit. Type the number of the voucher.',
  layout: 'The scanner types in another keyboard language. Type the number of the voucher.',
}

/** The vouchers that were scanned but not taken, and the toast that names them. */
let missed: string[] = []
let shown: number | undefined

/** Says that a scan was not taken, with two low tones: the scanner itself has beeped as if it were. The words stay until a scan is taken. */
export function refuseScan(scanned: string, first: keyof typeof FIRST): void {
  playSound('missed')
  if (!toasts.items.some(({ id }) => id === shown)) missed = []
  if (shown !== undefined) closeToast(shown)
  const problem = scanProblem(scanned)
  if (!problem) missed = [...new Set([...missed, formatSerial(serialFromScan(scanned))])]
  const code =
    problem &&
    (problem === 'misread' ? `The last scan could not be read. ${FIRST[first]} it again.` : PROBLEMS[problem])
  const them = missed.length > 1 ? 'them' : 'it'
  const vouchers = missed.length > 0 && `Not checked: ${missed.join(', ')}. ${FIRST[first]} ${them} again.`
  shown = showToast({ tone: 'danger', text: [code, vouchers].filter(Boolean).join('\n') })
}

/** Closes the toasts about the last voucher; the toast about scans that were not taken stays. */
export const closeVoucherToasts = (): void => closeToasts(shown)

/** Clears the toast about scans that were not taken, once a scan is taken. */
export function closeScanRefusal(): void {
  if (shown !== undefined) closeToast(shown)
  missed = []
  shown = undefined
}
