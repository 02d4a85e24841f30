import { call } from '../../api/call.ts'
import { releaseHold } from '../../contract/redemptions/counter.ts'
import type { VoucherRow } from '../../contract/vouchers.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { runAction } from '../record/recordActions.ts'

interface Held extends Pick<VoucherRow, 'guid' | 'serial'> {
  held: Omit<NonNullable<VoucherRow['held']>, 'ends'> | null
}

/** Releases the hold of a till after a warning (rule 9.14): that till may have redeemed the voucher while it was offline. */
export async function confirmReleaseHold({ guid, serial, held }: Held): Promise<void> {
  if (!held) return
  await runAction({
    question: {
      title: 'Release this hold?',
      consequence: `${held.till} has voucher ${formatSerial(serial)} on hold since ${formatInstant(new Date(held.since))}. This till may have redeemed it offline. If so, its upload will be refused.`,
      act: 'Release hold',
      dismiss: 'Cancel',
      destructive: true,
    },
    run: () => call(releaseHold, { body: { guid, since: held.since } }),
    done: 'Hold released',
  })
}
