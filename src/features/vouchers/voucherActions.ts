import { call } from '../../api/call.ts'
import { needsConnection } from '../../blocks/connectivity/useOffline.ts'
import type { BulkAction } from '../../blocks/tables/useBulkRun.ts'
import { confirmReleaseHold } from '../../blocks/vouchers/confirmReleaseHold.ts'
import { releaseHold } from '../../contract/redemptions/counter.ts'
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

/** Offered where the list is of what is on hold, so that boxes stand only where they are of use. */
export const HOLD_BULK_ACTIONS: readonly BulkAction<VoucherRow>[] = [
  {
    label: 'Release hold',
    doing: 'Releasing',
    done: 'Released',
    consequence: 'A till may have redeemed such a voucher offline. Then its upload will be refused.',
    destructive: true,
    refuses: ({ held }) => (held ? undefined : 'is not on hold'),
    run: ({ guid, held }) => call(releaseHold, { body: { guid, since: held?.since ?? '' } }),
  },
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
