import { counterApi } from '../../api/counter.ts'
import { runAction } from '../../blocks/record/runAction.ts'
import type { VoucherRow } from '../../contract/vouchers.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'

/** Frees a voucher that a till keeps. The warning is the design's: nobody here can know what that till did without a line (§7). */
export async function confirmReleaseHold({ guid, serial, held }: VoucherRow): Promise<void> {
  if (!held) return
  await runAction({
    question: {
      title: 'Release this hold?',
      consequence: `${held.till} has voucher ${formatSerial(serial)} on hold since ${formatInstant(new Date(held.since))}. This till may have taken it offline; if so its upload will be refused.`,
      act: 'Release hold',
      wayOut: 'Cancel',
      destructive: true,
    },
    run: () => counterApi.release({ body: { guid, since: held.since } }),
    done: 'Hold released',
  })
}
