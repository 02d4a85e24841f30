import { useHandScanner } from '../../../blocks/vouchers/useHandScanner.ts'
import { scanProblem } from '../../../domain/vouchers.ts'
import { isCovered } from '../../../ui/useRootClass.ts'
import { closeScanRefusal, refuseScan } from '../refuseScan.ts'
import type { Tray, TrayState } from './Tray.ts'

/** Fills the tray from a hand scanner. Returns the function that takes scans from other sources. */
export function useTrayScanner(tray: Tray, { isActing, redeemed }: TrayState): (scanned: string) => void {
  const scan = (scanned: string) => {
    closeScanRefusal()
    tray.scan(scanned)
  }
  useHandScanner({
    mayTake: () => !isActing && !isCovered(),
    onScan: (scanned) => {
      // A scan that cannot be a voucher does not close the verdict.
      if (redeemed && scanProblem(scanned)) refuseScan(scanned, 'redeemed')
      else scan(scanned)
    },
    onRefused: (scanned) => refuseScan(scanned, isCovered() ? 'dialog' : 'act'),
  })
  return scan
}
