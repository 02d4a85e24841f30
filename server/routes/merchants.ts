import { TERMS_AND_CONDITIONS } from '../../src/domain/legal/termsAndConditions.ts'
import { listCategories } from '../db/merchants/onboardings.ts'
import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { legalPdf } from '../pdf/legalPdf.ts'
import { readOnboarding, submitOnboarding } from '../services/merchants/onboarding.ts'
import { describeReview, reviewByLink } from '../services/merchants/readReview.ts'
import { decideReview } from '../services/merchants/reviews.ts'
import { submitApplication } from '../services/merchants/submitApplication.ts'

export const applicationRoutes = (deps: Deps): Pick<Routes, 'signup.apply' | 'signup.categories'> => ({
  'signup.apply': {
    identify: 'nobody',
    async handle({ body, caller }) {
      await submitApplication(deps, body, caller.ipAddress)
      return { data: { accepted: true } }
    },
  },
  'signup.categories': {
    identify: 'nobody',
    handle: async () => ({ data: await listCategories(deps.database.db) }),
  },
})

export const onboardingRoutes = (deps: Deps): Pick<Routes, 'onboarding.read' | 'onboarding.submit'> => ({
  'onboarding.read': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await readOnboarding(deps, actor, params.id) }),
  },
  'onboarding.submit': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: { status: await submitOnboarding(deps, actor, body) } }),
  },
})

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

/** Made once: neither the words nor the bytes change while the server runs. */
let made: Promise<Buffer> | undefined

export const termsRoutes: Pick<Routes, 'signup.termsPdf'> = {
  'signup.termsPdf': {
    identify: 'nobody',
    async handle() {
      const bytes = await (made ??= legalPdf(TERMS_AND_CONDITIONS))
      return {
        filename: `Terms and conditions ${TERMS_AND_CONDITIONS.version}.pdf`,
        contentType: 'application/pdf',
        pieces: whole(bytes),
        release: () => Promise.resolve(),
        headers: { 'content-length': String(bytes.byteLength) },
      }
    },
  },
}

// oxlint-disable-next-line typescript/require-await -- a file answer is read piece by piece, however many there are
async function* whole(bytes: Uint8Array) {
  yield bytes
}
