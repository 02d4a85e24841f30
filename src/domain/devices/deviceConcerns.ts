import type { DeviceRow } from '../../contract/devices/devices.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { TillConcern } from '../../contract/notices.ts'
import { formatCents } from '../money.ts'
import { formatDuration, pluralize } from '../quantities.ts'
import { EMPTY_SUM } from '../sums.ts'
import { clockOffLabel, isClockOff, itemIf } from './readiness.ts'

/** The concerns about a till that require an action. `storage`: vouchers wait in a browser that has not promised to keep them. */
export type DeviceConcern =
  | TillConcern
  | { is: 'waiting' | 'refused'; count: number }
  | { is: 'storage' | 'update' | 'not reported' | 'not enrolled' | 'removing' }
  | { is: 'clock'; offMs: number }

type Till = Pick<DeviceRow, 'report'> &
  Partial<Pick<DeviceRow, 'enrolled_at' | 'revoked_at' | 'removal_requested_at' | 'removed_at' | 'late' | 'unsettled'>>

/** Returns the concerns about a till by its last report, the worst first; empty if all is well. `now`: this device's time in milliseconds. */
export function deviceConcerns({ report, ...till }: Till, now: number): DeviceConcern[] {
  const isInUse = !till.revoked_at
  const { late = EMPTY_SUM, unsettled = EMPTY_SUM } = till
  const held = itemIf(unsettled.count > 0, { is: 'unsettled', ...sumOf(unsettled) } as const)
  const review = itemIf(late.count > 0, { is: 'late', ...sumOf(late) } as const)
  const own = [
    ...itemIf(isInUse && till.enrolled_at === null, { is: 'not enrolled' }),
    ...itemIf(Boolean(till.removal_requested_at) && !till.removed_at, { is: 'removing' }),
  ]
  if (report === null) return [...held, ...review, ...itemIf(isInUse, { is: 'not reported' }), ...own]
  const { waiting, refused, clock_offset_ms: offMs } = report
  const silent_ms = now - Date.parse(report.heard_at)
  const hasMoney = waiting.count > 0
  const isSilent = silent_ms >= LIMITS.silentHours * 3_600_000
  return [
    ...held,
    ...itemIf(hasMoney && isSilent, { is: 'silent', silent_ms, ...sumOf(waiting) }),
    ...itemIf(hasMoney && !isSilent, { is: 'waiting', count: waiting.count }),
    ...itemIf(refused > 0, { is: 'refused', count: refused }),
    ...review,
    ...itemIf(hasMoney && report.persistent === false, { is: 'storage' }),
    ...itemIf(isInUse && isClockOff(offMs), { is: 'clock', offMs }),
    ...itemIf(isInUse && report.update_waits, { is: 'update' }),
    ...own,
  ]
}

const sumOf = ({ count, cents }: { count: number; cents: number }) => ({ count, cents })

/**
 * Describes a concern in a few words (`short`), and what can be done (`long`). The list of devices, a device's page, the dashboard and the bell use
 * these texts.
 */
export function concernMessages(concern: DeviceConcern): { short: string; long: string } {
  switch (concern.is) {
    case 'unsettled':
      return {
        short: `${concern.count} held, ${formatCents(concern.cents)}, not settled`,
        long: 'The till has not reported whether they were redeemed. If it is lost or broken, settle by hand the vouchers that customers paid with.',
      }
    case 'silent':
      return {
        short: `Silent for ${formatDuration(concern.silent_ms)}`,
        long: `${pluralize(concern.count, 'voucher')}, ${formatCents(concern.cents)}, not uploaded. Turn the device on, connect it and open the portal: it then uploads automatically. Do not clear its browser data.`,
      }
    case 'waiting':
      return {
        short: `${pluralize(concern.count, 'voucher')} waiting`,
        long: 'They upload when the till has a connection. The till keeps its hold on them for 24 hours.',
      }
    case 'refused':
      return {
        short: `${pluralize(concern.count, 'upload')} refused`,
        long: 'Open the counter on this device: it shows which vouchers were refused, and why.',
      }
    case 'late':
      return {
        short: `${pluralize(concern.count, 'late upload')} to review, ${formatCents(concern.cents)}`,
        long: 'These were settled by hand, or uploaded by a revoked till. They count as redeemed. Please review them.',
      }
    case 'lost':
      return {
        short: `${pluralize(concern.count, 'voucher')} lost, ${formatCents(concern.cents)}`,
        long: 'The till accepted them without a check, and you are not paid for them. Look at each, then mark them as reviewed.',
      }
    case 'storage':
      return {
        short: 'Install the app',
        long: 'The browser may delete vouchers that wait to be uploaded. Install the portal on that device.',
      }
    case 'clock':
      return { short: `Clock ${clockOffLabel(concern.offMs)}`, long: 'Correct the clock of this device.' }
    case 'update':
      return {
        short: 'Update waiting',
        long: 'Open “This device” on the till between customers, and press “Update now”.',
      }
    case 'not enrolled':
      return {
        short: 'Not enrolled',
        long: 'A cashier named this till. Enrol it with a code, so that no other device can use its name.',
      }
    case 'removing':
      return {
        short: 'Removal requested',
        long: 'At its next contact the till uploads its redemptions and removes all other stored data.',
      }
    case 'not reported':
      return {
        short: 'Not reported yet',
        long: 'The till reports once a cashier logs in there with this version of the portal.',
      }
  }
}
