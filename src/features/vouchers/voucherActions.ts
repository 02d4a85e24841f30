import { needsConnection } from '../../blocks/connectivity/useOffline.ts'
import { confirmReleaseHold } from '../../blocks/vouchers/confirmReleaseHold.ts'
import type { VoucherRow } from '../../contract/vouchers.ts'
import { showToast } from '../../state/toasts.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'

interface VoucherMenuActions {
  onOpen: () => void
  /** Reads the list again. */
  onChanged: () => void
  offline: boolean
}

export const voucherMenu = (row: VoucherRow, { onOpen, onChanged, offline }: VoucherMenuActions): MenuItem[] => [
  { label: 'View voucher', onSelect: onOpen },
  { label: 'Copy serial number', onSelect: () => void copySerial(row.serial) },
  ...(row.held
    ? needsConnection(offline, [
        { label: 'Release hold', onSelect: () => void confirmReleaseHold(row).then(onChanged) },
      ])
    : []),
]

/** A browser may refuse the clipboard. Then the person must know that nothing was copied. */
export async function copySerial(serial: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(serial)
    showToast({ tone: 'success', text: 'Serial number copied' })
  } catch {
    showToast({ tone: 'danger', text: 'This browser does not allow copying. Select the number instead.' })
  }
}
