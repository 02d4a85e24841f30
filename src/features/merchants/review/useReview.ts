import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import * as review from '../../../contract/merchants/review.ts'
import type { Review } from '../../../contract/merchants/review.ts'

type ReviewState =
  | { is: 'loading' }
  | { is: 'shown'; review: Review }
  | { is: 'ended'; why: ReviewLinkError }
  | { is: 'failed'; error: unknown }

/** The links to the documents are good for five minutes; they are renewed before. */
const RENEW_MS = 4 * 60_000

export interface ReviewAccess {
  state: ReviewState
  load: () => Promise<void>
  /** What the server answered to a decision. */
  change: (changes: Pick<Review, 'status' | 'decided'>) => void
}

/**
 * What was submitted, by the token of the link: read anew while it is looked at, so that its documents open and the decision of
 * another desk shows.
 */
export function useReview(token: string): ReviewAccess {
  const [state, setState] = useState<ReviewState>({ is: 'loading' })
  const readAt = useRef(0)
  const load = useCallback(async () => {
    readAt.current = Date.now()
    const next = await readReview(token)
    // What is on the screen stays while the line is away.
    setState((now) => (next.is === 'failed' && now.is === 'shown' ? now : next))
  }, [token])
  useEffect(() => {
    const renew = () => {
      if (document.visibilityState === 'visible' && Date.now() - readAt.current >= RENEW_MS) void load()
    }
    void load()
    const timer = setInterval(renew, RENEW_MS / 8)
    document.addEventListener('visibilitychange', renew)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renew)
    }
  }, [load])
  const change = useCallback(
    (changes: Pick<Review, 'status' | 'decided'>) =>
      setState((now) => (now.is === 'shown' ? { is: 'shown', review: { ...now.review, ...changes } } : now)),
    [],
  )
  return { state, load, change }
}

async function readReview(token: string): Promise<ReviewState> {
  try {
    return { is: 'shown', review: await call(review.readReview, { body: { token } }) }
  } catch (error) {
    const why = reviewLinkError(error)
    return why ? { is: 'ended', why } : { is: 'failed', error }
  }
}

/** Why a link leads to nothing any more. */
export type ReviewLinkError = 'superseded' | 'invalid'

/** Expired, tampered with, or cut short on its way: then it does not even look like one of ours. */
export function reviewLinkError(error: unknown): ReviewLinkError | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'REVIEW_SUPERSEDED') return 'superseded'
  return error.code === 'LINK_INVALID' || error.fields.some(({ path }) => path === 'token') ? 'invalid' : undefined
}

export interface ReviewDeskProps extends Pick<ReviewAccess, 'load' | 'change'> {
  token: string
  review: Review
  onEnded: (why: ReviewLinkError) => void
}
