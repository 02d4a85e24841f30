import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { Trouble } from '../contract/devices/troubles.ts'
import { LIMITS } from '../contract/limits.ts'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'troubles'

const Kept = v.object({ ...Trouble.entries, id: v.string(), told: v.boolean() })
export type KeptTrouble = v.InferOutput<typeof Kept>

const stored = () => readStored(KEY, v.array(Kept))

/** The troubles of this device, newest last, from all its users and without their actions. No logout deletes them. */
export const troubles = proxy<{ items: KeptTrouble[] }>({ items: stored() ?? [] })

onStoredElsewhere(KEY, () => {
  troubles.items = stored() ?? []
})

/** Reads storage first: another tab may have written meanwhile. */
function change(next: (items: KeptTrouble[]) => KeptTrouble[]) {
  troubles.items = next(stored() ?? [...troubles.items]).slice(-LIMITS.troubles)
  writeStored(KEY, troubles.items)
}

/** Notes a trouble. The same trouble again, before the server was told, is one entry: hours without a connection must not push out all others. */
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

/** Notes that the server has these. Those that came again meanwhile must still be reported. */
export function troublesTold(sent: readonly KeptTrouble[]): void {
  const times = new Map(sent.map((one) => [one.id, one.times]))
  change((items) =>
    items.map((one) => {
      const more = one.times - (times.get(one.id) ?? 0)
      return times.has(one.id) ? { ...one, told: more === 0, times: more || one.times } : one
    }),
  )
}
