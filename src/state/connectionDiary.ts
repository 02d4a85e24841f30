import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { DiaryDay } from '../contract/devices/deviceReports.ts'
import { EMPTY_DIARY, noteSpan, type ConnectionDiary, type VerdictSpan } from '../domain/devices/connectionDiary.ts'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'connection-diary'

const Stored = v.object({
  days: v.array(DiaryDay),
  until: v.number(),
  outage: v.optional(v.object({ day: v.string(), to: v.number(), seconds: v.number() })),
})

const stored = (): ConnectionDiary | undefined => readStored(KEY, Stored)

/**
 * What the connection was on this device, day by day, whoever used it: no logout takes it away. In one row of storage, which a tab
 * reads and writes in one go: two tabs need no lock between them.
 */
export const connectionDiary = proxy<{ days: readonly DiaryDay[] }>({ days: stored()?.days ?? [] })

/** For a browser that stores nothing: the page then has its own. */
let known = stored() ?? EMPTY_DIARY

onStoredElsewhere(KEY, () => {
  known = stored() ?? EMPTY_DIARY
  connectionDiary.days = known.days
})

/** Storage first: another tab may have written meanwhile. */
export function noteInDiary(span: VerdictSpan): void {
  known = noteSpan(stored() ?? known, span)
  connectionDiary.days = known.days
  writeStored(KEY, known)
}
