import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type * as v from 'valibot'
import { useRetryOnReconnect } from '../connectivity/useRetryOnReconnect.ts'
import { userStore } from '../storage/userStore.ts'
import type { UserDatabase } from '../store/databases.ts'
import { fetchAndCache, readCached, type CachedAnswer } from './cachedRead.ts'

export interface CachedRead<T> {
  /** The newest answer for this very key, or the rows of the key before it while this one loads. */
  data: T | undefined
  asOf: Date | undefined
  /** `kept`: the network did not answer, and the cached answer is shown. */
  phase: 'loading' | 'refreshing' | 'ready' | 'kept' | 'failed'
  /** Of what is shown, once its age has to be said: the network did not answer, or takes long. */
  age: Date | undefined
  error: unknown
  retry: () => void
  /** The key it was asked with. */
  question: string
}

interface State<T> extends CachedAnswer<T> {
  key: string
}

/** A quick answer replaces the cached one before anybody has read how old that is. */
const QUICK_MS = 600
/** Of one asking, the refresh of a token included (offline 29). */
const CEILING_MS = 14_000

/**
 * A cached read: shows what the device has stored at once, and the server's answer when it comes. `key` names the question; the
 * answers lie in the database of `owner` and go with it. One that failed is asked again when the connection is back. A question
 * that `young` has the answer to is not asked: it was, a moment ago.
 */
export function useCachedRead<S extends v.GenericSchema>(
  owner: string,
  key: string,
  schema: S,
  load: (signal: AbortSignal) => Promise<v.InferOutput<S>>,
  young?: (key: string) => CachedAnswer<v.InferOutput<S>> | undefined,
): CachedRead<v.InferOutput<S>> {
  const [answer, setAnswer] = useState<State<v.InferOutput<S>>>()
  const [outcome, setOutcome] = useState<{ asked: string; question: string; error?: unknown }>()
  const [{ turn, quiet }, setTurn] = useState({ turn: 0, quiet: false })
  const [slow, setSlow] = useState<string>()
  // An outcome counts for the asking it came from: nothing is drawn once more only to forget the one before.
  const asked = `${owner} ${turn} ${key}`

  const early = answer?.key === key ? undefined : young?.(key)
  if (early) {
    setAnswer({ key, ...early })
    setOutcome({ asked, question: key })
  }
  const isAnswered = useEffectEvent(() => outcome?.asked === asked)

  // `key` names the question that both of these ask; a new closure of the same question is no reason to ask again.
  const readKept = useEffectEvent((store: UserDatabase) => readCached(store, key, schema))
  const ask = useEffectEvent((signal: AbortSignal) => load(signal))
  useEffect(() => {
    if (isAnswered()) return undefined
    const controller = new AbortController()
    let left = false
    const quick = setTimeout(() => setSlow(asked), QUICK_MS)
    const ceiling = setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), CEILING_MS)
    const stopTimers = () => {
      clearTimeout(quick)
      clearTimeout(ceiling)
    }
    const store = userStore(owner)
    void readKept(store).then((kept) => {
      // The network may have been faster than the disk.
      if (kept && !left) setAnswer((now) => (now?.key === key ? now : { key, ...kept }))
    })
    fetchAndCache(store, key, () => ask(controller.signal))
      .finally(stopTimers)
      .then(
        (fresh) => {
          if (left) return
          setAnswer({ key, ...fresh })
          setOutcome({ asked, question: key })
        },
        (error: unknown) => !left && setOutcome({ asked, question: key, error }),
      )
    return () => {
      left = true
      stopTimers()
      controller.abort()
    }
  }, [owner, key, asked])

  const retry = useCallback(() => setTurn(({ turn: now }) => ({ turn: now + 1, quiet: false })), [])
  const askAnew = useCallback(() => setTurn(({ turn: now }) => ({ turn: now + 1, quiet: true })), [])
  const current = answer?.key === key ? answer : undefined
  // Nobody asked for it: until the answer is there, the screen stays as it is.
  const isQuiet = quiet && outcome?.question === key
  const settled = outcome?.asked === asked || isQuiet ? outcome : undefined
  useRetryOnReconnect(!settled ? 'asking' : settled.error === undefined ? 'answered' : 'failed', askAnew)
  const isLate = slow === asked && !settled
  return { ...shown(answer, current, settled, isLate), retry, question: key }
}

function shown<T>(
  latest: State<T> | undefined,
  current: State<T> | undefined,
  outcome: { error?: unknown } | undefined,
  isLate: boolean,
) {
  const { data, asOf } = current ?? (outcome ? { data: undefined, asOf: undefined } : (latest ?? {}))
  const error = outcome?.error
  const age = isLate || error !== undefined ? current?.asOf : undefined
  const rest = { data, asOf, age, error }
  if (!outcome) return { ...rest, phase: data === undefined ? ('loading' as const) : ('refreshing' as const) }
  if (error === undefined) return { ...rest, phase: 'ready' as const }
  return { ...rest, phase: data === undefined ? ('failed' as const) : ('kept' as const) }
}
