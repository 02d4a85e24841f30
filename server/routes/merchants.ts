import type { LegalDocument } from '../../src/domain/legal/LegalDocument.ts'
import { MERCHANT_AGREEMENT, TERMS_AND_CONDITIONS } from '../../src/domain/legal/termsAndConditions.ts'
import type { Deps } from '../Deps.ts'
import { accepted, asActor, asActorWithId, asAnybody, sent } from '../http/handlers.ts'
import type { FileAnswer, RoutesOf } from '../http/Route.ts'
import { legalPdf } from '../pdf/legalPdf.ts'
import { merchantCategories, readOnboarding, submitOnboarding } from '../services/merchants/onboarding.ts'
import { readDraft, saveDraft } from '../services/merchants/onboardingDraft.ts'
import { mailApplicantAgain } from '../services/merchants/openAccounts.ts'
import { readReview } from '../services/merchants/readReview.ts'
import { decideByLink } from '../services/merchants/reviews.ts'
import { submitApplication } from '../services/merchants/submitApplication.ts'

export const merchantRoutes = (deps: Deps): RoutesOf<'signup' | 'onboarding' | 'review'> => ({
  'signup.apply': asAnybody(deps, submitApplication, accepted),
  'signup.resend': asAnybody(deps, mailApplicantAgain, sent),
  'signup.categories': asAnybody(deps, merchantCategories),
  'signup.termsPdf': { identify: 'nobody', handle: () => pdfAnswer(TERMS_AND_CONDITIONS) },
  'signup.agreementPdf': { identify: 'nobody', handle: () => pdfAnswer(MERCHANT_AGREEMENT) },
  'onboarding.read': asActorWithId(deps, readOnboarding),
  'onboarding.submit': asActor(deps, submitOnboarding, (status) => ({ status })),
  'onboarding.readDraft': asActor(deps, readDraft),
  'onboarding.saveDraft': asActor(deps, saveDraft),
  'review.read': asAnybody(deps, readReview),
  'review.decide': asAnybody(deps, decideByLink),
})

/** Each PDF is made once: neither text nor bytes change while the server runs. */
const madePdfs = new Map<LegalDocument, Promise<Buffer>>()

async function pdfAnswer(text: LegalDocument): Promise<FileAnswer> {
  const making = madePdfs.get(text) ?? legalPdf(text)
  madePdfs.set(text, making)
  const bytes = await making
  return {
    filename: `${text.title} ${text.version}.pdf`,
    contentType: 'application/pdf',
    pieces: inOnePiece(bytes),
    release: () => Promise.resolve(),
    size: bytes.byteLength,
  }
}

// oxlint-disable-next-line typescript/require-await -- a file answer is read piece by piece, however many there are
async function* inOnePiece(bytes: Uint8Array) {
  yield bytes
}
