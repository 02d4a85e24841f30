import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { decideReview } from '../services/merchants/reviews.ts'
import { describeReview, reviewByLink } from '../services/merchants/readReview.ts'

export const reviewRoutes = (deps: Deps): Pick<Routes, 'review.read' | 'review.decide'> => ({
  'review.read': {
    identify: 'nobody',
    handle: async ({ body }) => ({ data: await describeReview(deps, await reviewByLink(deps, body.token)) }),
  },
  'review.decide': {
    identify: 'nobody',
    async handle({ body: { token, ...verdict } }) {
      const review = await reviewByLink(deps, token)
      const { status, at, ...decision } = await decideReview(deps, review, { reason: null, ...verdict }, 'review link')
      return { data: { status, decided: { ...decision, at: at.toISOString() } } }
    },
  },
})
