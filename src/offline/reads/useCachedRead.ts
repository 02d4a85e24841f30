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

/** An answer within this time replaces the cached one before the user could read how old it is. */
const QUICK_MS = 600
/** The time limit of one request, including a token refresh (offline 29). */
const REQUEST_LIMIT_MS = 14_000

/**
 * Reads data with a cache: shows the stored data at once, and the server's answer when it comes. `key` names the question; the
 * answers are in the database of `owner` and are deleted with it. Until the server has answered, data that the worker or another
 * tab stores is shown, too. A failed read is repeated when the connection is back.
 */
export function useCachedRead<S extends v.GenericSchema>(
  owner: string,
  key: string,
  schema: S,
  load: (signal: AbortSignal) => Promise<v.InferOutput<S>>,
): CachedRead<v.InferOutput<S>> {
  const [answer, setAnswer] = useState<State<v.InferOutput<S>>>()
  const [outcome, setOutcome] = useState<{ request: string; question: string; error?: unknown }>()
  const [{ turn, isQuiet }, setTurn] = useState({ turn: 0, isQuiet: false })
  const [slowRequest, setSlowRequest] = useState<string>()
  // An outcome names its request, so the outcome of an earlier request is ignored without an extra render.
  const request = `${owner} ${turn} ${key}`
  const isAnswered = outcome?.request === request && outcome.error === undefined

  const ownAnswer = answer?.owner === owner ? answer : undefined
  const current = ownAnswer?.key === key ? ownAnswer : undefined
  const kept = useLiveQuery(() => readCached(userStore(owner), key, schema), isAnswered ? undefined : `${owner}/${key}`)
  // The network may have been faster than the disk.
  if (kept && (!current || kept.asOf > current.asOf)) setAnswer({ owner, key, ...kept })

  // A new closure with the same `key` asks the same question, so it causes no new request.
  const ask = useEffectEvent((signal: AbortSignal) => load(signal))
  useEffect(() => {
    const controller = new AbortController()
    let hasLeft = false
    const slowTimer = setTimeout(() => setSlowRequest(request), QUICK_MS)
    const limitTimer = setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), REQUEST_LIMIT_MS)
    const stopTimers = () => {
      clearTimeout(slowTimer)
      clearTimeout(limitTimer)
    }
    fetchAndCache(userStore(owner), key, () => ask(controller.signal))
      .finally(stopTimers)
      .then(
        (fresh) => {
          if (hasLeft) return
          setAnswer({ owner, key, ...fresh })
          setOutcome({ request, question: key })
        },
        (error: unknown) => !hasLeft && setOutcome({ request, question: key, error }),
      )
    return () => {
      hasLeft = true
      stopTimers()
      controller.abort()
    }
  }, [owner, key, request])

  const retry = useCallback(() => setTurn(({ turn: now }) => ({ turn: now + 1, isQuiet: false })), [])
  const askAnew = useCallback(() => setTurn(({ turn: now }) => ({ turn: now + 1, isQuiet: true })), [])
  // The user did not start this request, so the screen stays unchanged until the answer has come.
  const keepsScreen = isQuiet && outcome?.question === key
  const settled = outcome?.request === request || keepsScreen ? outcome : undefined
  useRetryOnReconnect(!settled ? 'asking' : settled.error === undefined ? 'answered' : 'failed', askAnew)
  const isLate = slowRequest === request && !settled
  return { ...chooseShown(ownAnswer, current, settled, isLate), retry, question: key }
}

function chooseShown<T>(
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
 * Asks again once when the connection is back after a failure, as soon as the user is not busy. If the read fails again, the
 * connection was not the reason.
 */
function useRetryOnReconnect(state: 'asking' | 'answered' | 'failed', askAnew: () => void): void {
  const triedSince = useRef<number>(undefined)
  const ask = useEffectEvent(askAnew)
  const returnsSeen = useRef(0)
  useEffect(() => {
    if (state === 'answered') triedSince.current = undefined
    if (state !== 'failed') {
      // A return of the connection between this moment and the failure counts as a return after the failure.
      returnsSeen.current = connectivity.returns
      return undefined
    }
    let waiting: ReturnType<typeof setTimeout> | undefined
    const askWhenFree = () => {
      clearTimeout(waiting)
      if (triedSince.current === connectivity.since) return
      if (isUserBusy()) {
        waiting = setTimeout(askWhenFree, LOOK_EVERY_MS)
        return
      }
      triedSince.current = connectivity.since
      ask()
    }
    if (connectivity.returns > returnsSeen.current) askWhenFree()
    const stop = subscribeKey(connectivity, 'returns', askWhenFree)
    return () => {
      clearTimeout(waiting)
      stop()
    }
  }, [state])
}

/** Signs of an open dialog or menu, or of chosen rows: the data behind them must not change while the user acts. */
const OPEN_ELEMENTS = '[role="dialog"], [role="alertdialog"], [role="menu"], tbody input:checked'

/** True if the user has something open or selected on this page, or does not look at it. */
function isUserBusy(): boolean {
  if (document.visibilityState === 'hidden' || document.querySelector(OPEN_ELEMENTS)) return true
  return getSelection()?.isCollapsed === false
}
