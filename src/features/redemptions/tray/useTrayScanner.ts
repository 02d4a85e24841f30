import { useHandScanner } from '../../../blocks/vouchers/useHandScanner.ts'
import { scanProblem } from '../../../domain/vouchers.ts'
import { isCovered } from '../../../ui/useRootClass.ts'
import { forgetRefusals, refuseScan } from '../refuseScan.ts'
import type { Tray, TrayState } from './Tray.ts'

/** Fills the tray by a hand scanner. Answers how anything else does. */
export function useTrayScanner(tray: Tray, { isActing, redeemed }: TrayState): (scanned: string) => void {
  const scan = (scanned: string) => {
    forgetRefusals()
    tray.scan(scanned)
  }
  useHandScanner({
    mayTake: () => !isActing && !isCovered(),
    onScan: (scanned) => {
      // "Redeemed" stays when the scan cannot be a voucher.
      if (redeemed && scanProblem(scanned)) refuseScan(scanned, 'redeemed')
      else scan(scanned)
    },
    onRefused: (scanned) => refuseScan(scanned, isCovered() ? 'dialog' : 'act'),
  })
  return scan
}
