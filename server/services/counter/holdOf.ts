import type { Hold } from '../../../src/contract/redemptions/hold.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { HeldVoucher } from '../../db/redemptions/holds.ts'

/** 24 hours bind the server. */
export const holdEndsAt = (since: Date): Date => new Date(since.getTime() + LIMITS.holdHours * 3_600_000)
/** Ten minutes bind the device. */
const confirmUntil = (since: Date) => new Date(since.getTime() + LIMITS.confirmMinutes * 60_000)

/** A hold in the words of the wire. */
export const holdOf = ({ holdId, holdTillName, holdSince, holdEndsAt: ends }: HeldVoucher): Hold => ({
  id: holdId,
  till: holdTillName,
  since: holdSince.toISOString(),
  confirm_until: confirmUntil(holdSince).toISOString(),
  ends: ends.toISOString(),
})
