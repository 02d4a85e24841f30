import { formatSerial, scanProblem, serialFromScan } from '../../domain/vouchers.ts'
import { closeToast, showToast } from '../../state/toasts.ts'
import { playMissed } from './verdict/playVerdict.ts'

/** What stands in the way of a scan, and what to do about it. */
const FIRST = {
  voucher: 'Finish this voucher first',
  dialog: 'Close this window first',
  day: 'Go back to the counter first',
} as const

let shown: number | undefined

/** Says that a scan was not taken, with two low tones: the scanner itself has beeped as if it were. The words stay until the next step. */
export function refuseScan(scanned: string, first: keyof typeof FIRST): void {
  playMissed()
  if (shown !== undefined) closeToast(shown)
  const problem = scanProblem(scanned)
  const text =
    problem === undefined
      ? `${formatSerial(serialFromScan(scanned))} was not checked. ${FIRST[first]}, then scan it again.`
      : problem === 'product'
        ? 'The code just scanned is no voucher. Nothing was checked.'
        : `The last scan could not be read. ${FIRST[first]}, then scan again.`
  shown = showToast({ tone: 'danger', text })
}
