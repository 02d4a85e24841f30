import type { VoucherRow } from '../../contract/voucher.ts'
import { showToast } from '../../state/toasts.ts'

export const voucherMenu = (row: VoucherRow) => [
  { label: 'Copy serial number', onSelect: () => void copySerial(row.serial) },
]

/** A browser may refuse the clipboard; the person should know that nothing was copied. */
async function copySerial(serial: string) {
  try {
    await navigator.clipboard.writeText(serial)
    showToast({ tone: 'success', text: 'Serial number copied' })
  } catch {
    showToast({ tone: 'danger', text: 'This browser does not allow copying. Select the number instead.' })
  }
}
