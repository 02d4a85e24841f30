import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type * as v from 'valibot'
import { freshRead, type Kept, keptRead } from './cachedRead.ts'
import { userStore } from './userStore.ts'
import type { UserDatabase } from '../store/userDatabase.ts'

export interface CachedRead<T> {
  /** The newest answer for this very key, or the rows of the key before it while this one loads. */
  data: T | undefined
  asOf: Date | undefined
  /** `kept`: the network did not answer and this is what the device had. */
  phase: 'loading' | 'refreshing' | 'ready' | 'kept' | 'failed'
  error: unknown
  retry: () => void
}

interface State<T> extends Kept<T> {
  key: string
}

/**
 * A read that shows what the device kept at once and the network's answer when it comes. `key` names the question; the answers
 * live in the database of `owner` and are dropped with it.
 */
export function useCachedRead<S extends v.GenericSchema>(
  owner: string,
  key: string,
  schema: S,
  load: (signal: AbortSignal) => Promise<v.InferOutput<S>>,
): CachedRead<v.InferOutput<S>> {
  const [answer, setAnswer] = useState<State<v.InferOutput<S>>>()
  const [outcome, setOutcome] = useState<{ asked: string; error?: unknown }>()
  const [turn, setTurn] = useState(0)
  // An outcome counts for the asking it came from: nothing is drawn once more only to forget the one before.
  const asked = `${owner} ${turn} ${key}`

  // `key` names the question that both of these ask; a new closure of the same question is no reason to ask again.
  const readKept = useEffectEvent((store: UserDatabase) => keptRead(store, key, schema))
  const ask = useEffectEvent((signal: AbortSignal) => load(signal))
  useEffect(() => {
    const controller = new AbortController()
    const live = () => !controller.signal.aborted
    const store = userStore(owner)
    void readKept(store).then((kept) => {
      // The network may have been faster than the disk.
      if (kept && live()) setAnswer((now) => (now?.key === key ? now : { key, ...kept }))
    })
    freshRead(store, key, () => ask(controller.signal)).then(
      (fresh) => {
        if (!live()) return
        setAnswer({ key, ...fresh })
        setOutcome({ asked })
      },
      (error: unknown) => live() && setOutcome({ asked, error }),
    )
    return () => controller.abort()
  }, [owner, key, asked])

  const retry = useCallback(() => setTurn((now) => now + 1), [])
  const current = answer?.key === key ? answer : undefined
  return { ...shown(answer, current, outcome?.asked === asked ? outcome : undefined), retry }
}

function shown<T>(
  latest: State<T> | undefined,
  current: State<T> | undefined,
  outcome: { error?: unknown } | undefined,
) {
  const { data, asOf } = current ?? (outcome ? { data: undefined, asOf: undefined } : (latest ?? {}))
  const error = outcome?.error
  if (!outcome) return { data, asOf, error, phase: data === undefined ? ('loading' as const) : ('refreshing' as const) }
  if (error === undefined) return { data, asOf, error, phase: 'ready' as const }
  return { data, asOf, error, phase: data === undefined ? ('failed' as const) : ('kept' as const) }
}
