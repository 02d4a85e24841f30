import { call } from '../../api/call.ts'
import { needsConnection } from '../../blocks/connectivity/useOffline.ts'
import { runAction } from '../../blocks/record/runAction.ts'
import type { BulkAction } from '../../blocks/tables/useBulkRun.ts'
import { releaseHold } from '../../contract/redemptions/counter.ts'
import type { VoucherRow } from '../../contract/vouchers.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
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

/** Releases the hold of a till. It warns first (rule 9.14): that till may have redeemed the voucher while it was offline. */
export async function confirmReleaseHold({ guid, serial, held }: VoucherRow): Promise<void> {
  if (!held) return
  await runAction({
    question: {
      title: 'Release this hold?',
      consequence: `${held.till} has voucher ${formatSerial(serial)} on hold since ${formatInstant(new Date(held.since))}. This till may have redeemed it offline. If so, its upload will be refused.`,
      act: 'Release hold',
      wayOut: 'Cancel',
      destructive: true,
    },
    run: () => call(releaseHold, { body: { guid, since: held.since } }),
    done: 'Hold released',
  })
}
