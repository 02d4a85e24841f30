import type { ReportCell } from '../../../src/contract/reportPreview.ts'
import { singaporeWallTime } from '../../../src/domain/singaporeTime.ts'

const HOUR = '2026-11-21T09'.length
const SECOND = '2026-11-21T09:38:07'.length

/** Instants of the wire as Singapore's wall time. Rows come in order of time, so the hour of the last one mostly is this one's. */
export function wallTimeCells(): (at: ReportCell) => string {
  let known = ''
  let shown = ''
  return (cell) => {
    const at = String(cell)
    const hour = at.slice(0, HOUR)
    if (hour !== known) [known, shown] = [hour, singaporeWallTime(new Date(`${hour}:00:00Z`)).slice(0, HOUR)]
    return shown + at.slice(HOUR, SECOND)
  }
}
