import type { Review } from '../../contract/merchants/review.ts'
import type { ReviewAccess } from '../merchants/review/useReview.ts'
import type { ReviewLinkError } from './whyEnded.ts'

export interface ReviewDeskProps extends Pick<ReviewAccess, 'load' | 'change'> {
  token: string
  review: Review
  onEnded: (why: ReviewLinkError) => void
}
