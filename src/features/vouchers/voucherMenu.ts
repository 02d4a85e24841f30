import type { VoucherRow } from '../../contract/voucher.ts'
import { showToast } from '../../state/toasts.ts'
import type { MenuItem } from '../../ui/MenuPopup.tsx'

export const voucherMenu = ({ serial }: VoucherRow, onOpen: () => void): MenuItem[] => [
  { label: 'View voucher', onSelect: onOpen },
  { label: 'Copy serial number', onSelect: () => void copySerial(serial) },
]

/** A browser may refuse the clipboard; the person should know that nothing was copied. */
export async function copySerial(serial: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(serial)
    showToast({ tone: 'success', text: 'Serial number copied' })
  } catch {
    showToast({ tone: 'danger', text: 'This browser does not allow copying. Select the number instead.' })
  }
}
