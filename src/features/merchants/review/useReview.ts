import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import * as review from '../../../contract/merchants/review.ts'
import type { Review } from '../../../contract/merchants/review.ts'
import { useReturnToPage } from '../../../ui/usePageVisible.ts'

type ReviewState =
  | { is: 'loading' }
  | { is: 'shown'; review: Review }
  | { is: 'ended'; why: ReviewLinkError }
  | { is: 'failed'; error: unknown }

/** The submission is read again after this time, because its links to documents are valid for five minutes. */
const RENEW_AFTER_MS = 4 * 60_000

export interface ReviewAccess {
  state: ReviewState
  load: () => Promise<void>
  /** Shows the server's answer to a decision. */
  change: (changes: Pick<Review, 'status' | 'decided'>) => void
}

/**
 * Reads the submission by the token of the link. While the page is in view, the submission is read again, so that its
 * documents open and a decision made elsewhere appears.
 */
export function useReview(token: string): ReviewAccess {
  const [state, setState] = useState<ReviewState>({ is: 'loading' })
  const readAt = useRef(0)
  const load = useCallback(async () => {
    readAt.current = Date.now()
    const next = await readReview(token)
    // Without a connection, the content of the screen stays.
    setState((current) => (next.is === 'failed' && current.is === 'shown' ? current : next))
  }, [token])
  const renew = useCallback(() => {
    if (document.visibilityState === 'visible' && Date.now() - readAt.current >= RENEW_AFTER_MS) void load()
  }, [load])
  useReturnToPage(renew)
  useEffect(() => {
    void load()
    const timer = setInterval(renew, RENEW_AFTER_MS / 8)
    return () => clearInterval(timer)
  }, [load, renew])
  const change = useCallback(
    (changes: Pick<Review, 'status' | 'decided'>) =>
      setState((current) =>
        current.is === 'shown' ? { is: 'shown', review: { ...current.review, ...changes } } : current,
      ),
    [],
  )
  return { state, load, change }
}

async function readReview(token: string): Promise<ReviewState> {
  try {
    return { is: 'shown', review: await call(review.readReview, { body: { token } }) }
  } catch (error) {
    const linkError = reviewLinkError(error)
    return linkError ? { is: 'ended', why: linkError } : { is: 'failed', error }
  }
}

/** The reason why a link no longer works. */
export type ReviewLinkError = 'superseded' | 'invalid'

/** Returns why the link no longer works; undefined for any other error. An invalid link is expired, changed or cut short. */
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
