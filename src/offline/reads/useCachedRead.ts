import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type * as v from 'valibot'
import { subscribeKey } from 'valtio/vanilla/utils'
import { connectivity } from '../connectivity/connectivity.ts'
import { useLiveQuery } from '../storage/useLiveQuery.ts'
import { userStore } from '../storage/userStore.ts'
import { fetchAndCache, readCached, type CachedAnswer } from './cachedRead.ts'

export interface CachedRead<T> {
  /** The newest answer for this key, or the rows of the previous key while this one loads. */
  data: T | undefined
  asOf: Date | undefined
  /** `kept`: the network did not answer, and the cached answer is shown. */
  phase: 'loading' | 'refreshing' | 'ready' | 'kept' | 'failed'
  /** When the shown data was fetched, if its age must be shown: the network did not answer, or is slow. */
  age: Date | undefined
  error: unknown
  retry: () => void
  /** The key of the request. */
  question: string
}

interface State<T> extends CachedAnswer<T> {
  owner: string
  key: string
}

/** A quick answer replaces the cached one before the user has read how old that is. */
const QUICK_MS = 600
/** The limit of one request, with the refresh of a token (offline 29). */
const CEILING_MS = 14_000

/**
 * Reads data with a cache: shows the stored data at once, and the server's answer when it comes. `key` names the question; the
 * answers are in the database of `owner` and are deleted with it. The stored data is followed until the server has answered: the
 * worker or another tab may write it. A failed read is repeated when the connection is back.
 */
export function useCachedRead<S extends v.GenericSchema>(
  owner: string,
  key: string,
  schema: S,
  load: (signal: AbortSignal) => Promise<v.InferOutput<S>>,
): CachedRead<v.InferOutput<S>> {
  const [answer, setAnswer] = useState<State<v.InferOutput<S>>>()
  const [outcome, setOutcome] = useState<{ asked: string; question: string; error?: unknown }>()
  const [{ turn, quiet }, setTurn] = useState({ turn: 0, quiet: false })
  const [slow, setSlow] = useState<string>()
  // An outcome belongs to its request, so the outcome of an earlier one needs no extra render to be cleared.
  const asked = `${owner} ${turn} ${key}`
  const isAnswered = outcome?.asked === asked && outcome.error === undefined

  const ownAnswer = answer?.owner === owner ? answer : undefined
  const current = ownAnswer?.key === key ? ownAnswer : undefined
  const kept = useLiveQuery(() => readCached(userStore(owner), key, schema), isAnswered ? undefined : `${owner}/${key}`)
  // The network may have been faster than the disk.
  if (kept && (!current || kept.asOf > current.asOf)) setAnswer({ owner, key, ...kept })

  // `key` names the question; a new closure of the same question is no reason to ask again.
  const ask = useEffectEvent((signal: AbortSignal) => load(signal))
  useEffect(() => {
    const controller = new AbortController()
    let left = false
    const quick = setTimeout(() => setSlow(asked), QUICK_MS)
    const ceiling = setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), CEILING_MS)
    const stopTimers = () => {
      clearTimeout(quick)
      clearTimeout(ceiling)
    }
    fetchAndCache(userStore(owner), key, () => ask(controller.signal))
      .finally(stopTimers)
      .then(
        (fresh) => {
          if (left) return
          setAnswer({ owner, key, ...fresh })
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
  // The user did not ask for it: the screen stays as it is until the answer has come.
  const isQuiet = quiet && outcome?.question === key
  const settled = outcome?.asked === asked || isQuiet ? outcome : undefined
  useRetryOnReconnect(!settled ? 'asking' : settled.error === undefined ? 'answered' : 'failed', askAnew)
  const isLate = slow === asked && !settled
  return { ...shown(ownAnswer, current, settled, isLate), retry, question: key }
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

const LOOK_EVERY_MS = 1_000

/**
 * Asks again once when the connection is back after a failure, unless the user is in the middle of something. If it fails again
 * with a connection, the connection was not the reason.
 */
function useRetryOnReconnect(state: 'asking' | 'answered' | 'failed', askAnew: () => void): void {
  const tried = useRef<number>(undefined)
  const ask = useEffectEvent(askAnew)
  const seen = useRef(0)
  useEffect(() => {
    if (state === 'answered') tried.current = undefined
    if (state !== 'failed') {
      // If the connection returns after this, but before the failure is known, it counts as a return after it.
      seen.current = connectivity.returns
      return undefined
    }
    let waiting: ReturnType<typeof setTimeout> | undefined
    const returned = () => {
      clearTimeout(waiting)
      if (tried.current === connectivity.since) return
      if (isPersonBusy()) {
        waiting = setTimeout(returned, LOOK_EVERY_MS)
        return
      }
      tried.current = connectivity.since
      ask()
    }
    if (connectivity.returns > seen.current) returned()
    const stop = subscribeKey(connectivity, 'returns', returned)
    return () => {
      clearTimeout(waiting)
      stop()
    }
  }, [state])
}

/** Signs of an open dialog or menu, or of chosen rows: the data behind them must not change while the user acts. */
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], tbody input:checked'

/** True if the user is in the middle of something on this page, or does not look at it. */
function isPersonBusy(): boolean {
  if (document.visibilityState === 'hidden' || document.querySelector(OPEN)) return true
  return getSelection()?.isCollapsed === false
}
