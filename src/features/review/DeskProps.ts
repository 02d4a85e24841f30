import type { Review } from '../../contract/merchants/review.ts'
import type { ReviewAccess } from '../merchants/review/useReview.ts'
import type { Ended } from './whyEnded.ts'

export interface DeskProps extends Pick<ReviewAccess, 'load' | 'change'> {
  token: string
  review: Review
  onEnded: (why: Ended) => void
}
