import { playSound } from '../../blocks/vouchers/playSound.ts'
import { useHandScanner } from '../../blocks/vouchers/useHandScanner.ts'
import { formatSerial, scanProblem, serialFromScan, type ScanProblem } from '../../domain/vouchers.ts'
import { closeToast, closeToasts, showToast, toasts } from '../../state/toasts.ts'

/** The steps that the cashier must take before scanning again. */
const FIRST_STEPS = {
  act: 'Wait until these are redeemed, then scan',
  dialog: 'Close the dialog first, then scan',
  day: 'Go back to the counter first, then scan',
  'set-up': 'Set up this till first, then scan',
  /** A verdict is on the screen, and the cashier can scan at once. */
  redeemed: 'Scan',
} as const

const PROBLEMS: Record<Exclude<ScanProblem, 'misread'>, string> = {
  product: 'The code just scanned is not a voucher of this programme. Nothing was checked.',
  truncated: 'The scanner left out the last digit. Type the number of the voucher.',
  layout: 'The scanner types in another keyboard language. Type the number of the voucher.',
}

/** The vouchers that were scanned but not taken. */
let missed: string[] = []
/** The id of the toast that names these vouchers. */
let toastId: number | undefined

/** Says that a scan was not taken, in a toast that stays until the next scan, and with two low tones: the scanner has beeped as if all were well. */
export function refuseScan(scanned: string, first: keyof typeof FIRST_STEPS): void {
  playSound('missed')
  if (!toasts.items.some(({ id }) => id === toastId)) missed = []
  if (toastId !== undefined) closeToast(toastId)
  const problem = scanProblem(scanned)
  if (!problem) missed = [...new Set([...missed, formatSerial(serialFromScan(scanned))])]
  const codeText =
    problem &&
    (problem === 'misread' ? `The last scan could not be read. ${FIRST_STEPS[first]} it again.` : PROBLEMS[problem])
  const pronoun = missed.length > 1 ? 'them' : 'it'
  const vouchersText = missed.length > 0 && `Not checked: ${missed.join(', ')}. ${FIRST_STEPS[first]} ${pronoun} again.`
  toastId = showToast({ tone: 'danger', text: [codeText, vouchersText].filter(Boolean).join('\n') })
}

/** Refuses every scan on a screen that takes none. No key of a scan stays in its fields or presses its buttons. */
export function useScanRefusal(first: keyof typeof FIRST_STEPS): void {
  const refuse = (scanned: string) => refuseScan(scanned, first)
  useHandScanner({ onScan: refuse, onRefused: refuse })
}

/** Closes the toasts about the last voucher; the toast about scans that were not taken stays. */
export const closeVoucherToasts = (): void => closeToasts(toastId)

/** Closes the toast about scans that were not taken. Called when a scan is taken. */
export function closeScanRefusal(): void {
  if (toastId !== undefined) closeToast(toastId)
  missed = []
  toastId = undefined
}
