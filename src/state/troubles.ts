import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { Trouble } from '../contract/devices/troubles.ts'
import { LIMITS } from '../contract/limits.ts'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'troubles'

/** `told`: true once the server has the trouble. */
const KeptTrouble = v.object({ ...Trouble.entries, id: v.string(), told: v.boolean() })
export type KeptTrouble = v.InferOutput<typeof KeptTrouble>

const readTroubles = () => readStored(KEY, v.array(KeptTrouble))

/** The troubles of this device, newest last, from all its users and without their actions. No logout deletes them. */
export const troubles = proxy<{ items: KeptTrouble[] }>({ items: readTroubles() ?? [] })

onStoredElsewhere(KEY, () => {
  troubles.items = readTroubles() ?? []
})

/** Reads storage first: another tab may have written meanwhile. */
function changeTroubles(next: (items: KeptTrouble[]) => KeptTrouble[]) {
  troubles.items = next(readTroubles() ?? [...troubles.items]).slice(-LIMITS.troubles)
  writeStored(KEY, troubles.items)
}

/**
 * Notes a trouble. If it was noted before and not reported yet, both are one entry: hours without a connection must not push out
 * all others.
 */
export function noteTrouble(about: Trouble['about'], code: string, requestId?: string): void {
  const facts = { about, code, at: new Date().toISOString(), ...(requestId ? { request_id: requestId } : {}) }
  changeTroubles((items) => {
    const last = items.findLast((one) => one.about === about)
    const repeated = last?.code === code && !last.told ? last : undefined
    const entry = { ...facts, id: repeated?.id ?? crypto.randomUUID(), told: false, times: (repeated?.times ?? 0) + 1 }
    return [...items.filter((one) => one !== repeated), entry]
  })
}

export const unreportedTroubles = (): KeptTrouble[] =>
  (readTroubles() ?? [...troubles.items]).filter(({ told }) => !told)

/** Notes that the server has these troubles. A trouble that came again meanwhile must still be reported. */
export function markTroublesReported(sent: readonly KeptTrouble[]): void {
  const times = new Map(sent.map((one) => [one.id, one.times]))
  changeTroubles((items) =>
    items.map((one) => {
      const unreported = one.times - (times.get(one.id) ?? 0)
      return times.has(one.id) ? { ...one, told: unreported === 0, times: unreported || one.times } : one
    }),
  )
}
