import type { DeviceRow } from '../../contract/devices/devices.ts'
import { LIMITS } from '../../contract/limits.ts'
import { isClockOff, when } from './readiness.ts'

/**
 * What about a till needs somebody. `silent`: vouchers wait on it, and nothing was heard of it for so long. `storage`: vouchers wait in a browser that has not promised to
 * keep them. `unsettled`: it held something, and nobody has said what became of it. `late`: it has late uploads that nobody has reviewed.
 */
export type DeviceConcern =
  | { is: 'silent'; forMs: number }
  | { is: 'waiting' | 'refused' | 'late'; count: number }
  | { is: 'storage' | 'update' | 'not reported' | 'not enrolled' | 'removing' }
  | { is: 'unsettled'; count: number; cents: number }
  | { is: 'clock'; offMs: number }

type Till = Pick<DeviceRow, 'report'> &
  Partial<Pick<DeviceRow, 'enrolled_at' | 'revoked_at' | 'removal_asked_at' | 'removed_at' | 'late' | 'unsettled'>>

/** Of a till as it was heard of last, the worst first; none when all is well. `now`: of this device, in milliseconds. */
export function deviceConcerns({ report, ...till }: Till, now: number): DeviceConcern[] {
  const isInUse = !till.revoked_at
  const lateCount = till.late?.count ?? 0
  const { count: heldCount = 0, cents: heldCents = 0 } = till.unsettled ?? {}
  const unsettled = when(heldCount > 0, { is: 'unsettled', count: heldCount, cents: heldCents } as const)
  const late = when(lateCount > 0, { is: 'late', count: lateCount } as const)
  const own = [
    ...when(isInUse && till.enrolled_at === null, { is: 'not enrolled' }),
    ...when(Boolean(till.removal_asked_at) && !till.removed_at, { is: 'removing' }),
  ]
  if (report === null) return [...unsettled, ...late, ...when(isInUse, { is: 'not reported' }), ...own]
  const { waiting, refused, clock_offset_ms: offMs } = report
  const silentMs = now - Date.parse(report.heard_at)
  const hasMoney = waiting.count > 0
  const isSilent = silentMs >= LIMITS.silentHours * 3_600_000
  return [
    ...unsettled,
    ...when(hasMoney && isSilent, { is: 'silent', forMs: silentMs }),
    ...when(hasMoney && !isSilent, { is: 'waiting', count: waiting.count }),
    ...when(refused > 0, { is: 'refused', count: refused }),
    ...late,
    ...when(hasMoney && report.persistent === false, { is: 'storage' }),
    ...when(isInUse && isClockOff(offMs), { is: 'clock', offMs }),
    ...when(isInUse && report.update_waits, { is: 'update' }),
    ...own,
  ]
}
