import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type * as v from 'valibot'
import { subscribeKey } from 'valtio/vanilla/utils'
import { connectivity } from '../connectivity/connectivity.ts'
import { useLiveQuery } from '../storage/useLiveQuery.ts'
import { userStore } from '../storage/userStore.ts'
import { fetchAndCache, readCached, type CachedAnswer } from './cachedRead.ts'

export interface CachedRead<T> {
  /** The newest answer for this key. While it loads, the answer for the previous key. */
  data: T | undefined
  asOf: Date | undefined
  /** `kept`: the read failed, and the cached answer is shown. */
  phase: 'loading' | 'refreshing' | 'ready' | 'kept' | 'failed'
  /** The time of the shown data, if the read failed or is slow: the screen must then show how old the data is. */
  staleAsOf: Date | undefined
  error: unknown
  retry: () => void
  /** The key of the request. */
  question: string
}

interface State<T> extends CachedAnswer<T> {
  owner: string
  key: string
}

/** An answer within this time replaces the cached one before a user could read its age. */
const QUICK_MS = 600
/** The time limit of one request, including a token refresh (offline 29). */
const REQUEST_LIMIT_MS = 14_000

/**
 * Reads data with a cache: shows the stored data at once, and the server's answer when it comes. Until then it also shows data that
 * the worker or another tab stores. `key` identifies the question. The answers are stored in the database of `owner`. A failed read
 * is repeated when the connection is back.
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
  // An outcome belongs to its request, so that the outcome of an earlier request is ignored without another render.
  const request = `${owner} ${turn} ${key}`
  const isAnswered = outcome?.request === request && outcome.error === undefined

  const ownAnswer = answer?.owner === owner ? answer : undefined
  const current = ownAnswer?.key === key ? ownAnswer : undefined
  const kept = useLiveQuery(() => readCached(userStore(owner), key, schema), isAnswered ? undefined : `${owner}/${key}`)
  // Not if the network was faster than the disk.
  if (kept && (!current || kept.asOf > current.asOf)) setAnswer({ owner, key, ...kept })

  // The key identifies the question, so a new closure with the same key causes no new request.
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
  const retryQuietly = useCallback(() => setTurn(({ turn: now }) => ({ turn: now + 1, isQuiet: true })), [])
  // The user did not start this request, so the screen does not change until the answer comes.
  const keepsScreen = isQuiet && outcome?.question === key
  const settled = outcome?.request === request || keepsScreen ? outcome : undefined
  useRetryOnReconnect(!settled ? 'asking' : settled.error === undefined ? 'answered' : 'failed', retryQuietly)
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
  const staleAsOf = isLate || error !== undefined ? current?.asOf : undefined
  const rest = { data, asOf, staleAsOf, error }
  if (!outcome) return { ...rest, phase: data === undefined ? ('loading' as const) : ('refreshing' as const) }
  if (error === undefined) return { ...rest, phase: 'ready' as const }
  return { ...rest, phase: data === undefined ? ('failed' as const) : ('kept' as const) }
}

const CHECK_BUSY_EVERY_MS = 1_000

/**
 * Asks again when the connection is back after a failure, as soon as the user is not busy. It asks once, because the connection is
 * not the reason if the read fails again.
 */
function useRetryOnReconnect(state: 'asking' | 'answered' | 'failed', retryQuietly: () => void): void {
  /** The `since` of the connection with which this read was last repeated. */
  const triedSince = useRef<number>(undefined)
  const ask = useEffectEvent(retryQuietly)
  const returnsSeen = useRef(0)
  useEffect(() => {
    if (state === 'answered') triedSince.current = undefined
    if (state !== 'failed') {
      // If the connection returns before the failure is known, that counts as a return after the failure.
      returnsSeen.current = connectivity.returns
      return undefined
    }
    let waiting: ReturnType<typeof setTimeout> | undefined
    const askWhenFree = () => {
      clearTimeout(waiting)
      if (triedSince.current === connectivity.since) return
      if (isUserBusy()) {
        waiting = setTimeout(askWhenFree, CHECK_BUSY_EVERY_MS)
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

/** Finds open dialogs and menus, and selected rows: while the user works with them, the data behind them must not change. */
const OPEN_ELEMENTS = '[role="dialog"], [role="alertdialog"], [role="menu"], tbody input:checked'

/** True if the user has something open or selected on this page, or does not look at it. */
function isUserBusy(): boolean {
  if (document.visibilityState === 'hidden' || document.querySelector(OPEN_ELEMENTS)) return true
  return getSelection()?.isCollapsed === false
}
