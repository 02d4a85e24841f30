import { ApiError } from '../../api/ApiError.ts'

/** Why a link leads to nothing any more. */
export type ReviewLinkError = 'superseded' | 'invalid'

/** Expired, tampered with, or cut short on its way: then it does not even look like one of ours. */
export function reviewLinkError(error: unknown): ReviewLinkError | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'REVIEW_SUPERSEDED') return 'superseded'
  return error.code === 'LINK_INVALID' || error.fields.some(({ path }) => path === 'token') ? 'invalid' : undefined
}
