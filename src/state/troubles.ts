import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { Trouble } from '../contract/devices/troubles.ts'
import { LIMITS } from '../contract/limits.ts'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'troubles'

const Kept = v.object({ ...Trouble.entries, id: v.string(), told: v.boolean() })
export type KeptTrouble = v.InferOutput<typeof Kept>

const stored = () => readStored(KEY, v.array(Kept))

/** What went wrong on this device, the newest last: of whoever used it, with no word of what they did. No logout takes it away. */
export const troubles = proxy<{ items: KeptTrouble[] }>({ items: stored() ?? [] })

onStoredElsewhere(KEY, () => {
  troubles.items = stored() ?? []
})

/** Storage first: another tab may have written meanwhile. */
function change(next: (items: KeptTrouble[]) => KeptTrouble[]) {
  troubles.items = next(stored() ?? [...troubles.items]).slice(-LIMITS.troubles)
  writeStored(KEY, troubles.items)
}

/** The same again, before the server was told, is one entry: hours without a connection must not push out everything else. */
export function noteTrouble(about: Trouble['about'], code: string, requestId?: string): void {
  const facts = { about, code, at: new Date().toISOString(), ...(requestId ? { request_id: requestId } : {}) }
  change((items) => {
    const last = items.findLast((one) => one.about === about)
    const again = last?.code === code && !last.told ? last : undefined
    const entry = { ...facts, id: again?.id ?? crypto.randomUUID(), told: false, times: (again?.times ?? 0) + 1 }
    return [...items.filter((one) => one !== again), entry]
  })
}

export const untoldTroubles = (): KeptTrouble[] => (stored() ?? [...troubles.items]).filter(({ told }) => !told)

/** The server has these. What came again meanwhile is still to be told. */
export function troublesTold(sent: readonly KeptTrouble[]): void {
  const times = new Map(sent.map((one) => [one.id, one.times]))
  change((items) =>
    items.map((one) => {
      const more = one.times - (times.get(one.id) ?? 0)
      return times.has(one.id) ? { ...one, told: more === 0, times: more || one.times } : one
    }),
  )
}
