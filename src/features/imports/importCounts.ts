import type { JudgedRow } from './judgeRows.ts'

export interface ImportCounts {
  /** Could be created, as far as is known here. */
  ready: number
  /** Of those, not looked at by the server as they are now. */
  unchecked: number
  toFix: number
  /** Asked for, without an answer. */
  sent: number
  created: number
}

export function importCounts(judged: readonly JudgedRow[]): ImportCounts {
  const counts = { ready: 0, unchecked: 0, toFix: 0, sent: 0, created: 0 }
  for (const { row, record } of judged) {
    if (row.stage !== 'open') counts[row.stage] += 1
    else if (!record) counts.toFix += 1
    else {
      counts.ready += 1
      if (!row.checked) counts.unchecked += 1
    }
  }
  return counts
}
