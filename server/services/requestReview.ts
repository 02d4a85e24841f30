import type { Db } from '../db/engine/Database.ts'
import { queueMail } from '../db/mailOutbox.ts'
import { findOrganisation } from '../db/merchants/organisations.ts'
import { insertReview, type NewReview } from '../db/merchants/reviews.ts'
import type { Deps } from '../Deps.ts'
import { reviewMail } from '../mail/merchantMails.ts'
import { hashToken, newToken } from './opaqueToken.ts'

/**
 * Puts a submission before the provider, by mail with a link of its own; it takes the place of what the organisation has
 * submitted before. In the transaction that submits it; say `deps.mailWaiting()` after it.
 */
export async function requestReview(
  tx: Db,
  { settings, clock }: Pick<Deps, 'settings' | 'clock'>,
  submission: Omit<NewReview, 'tokenHash'>,
): Promise<void> {
  const [token, now] = [newToken(), clock.now()]
  await insertReview(tx, { ...submission, tokenHash: hashToken(token) }, now)
  const of = await findOrganisation(tx, submission.organisationId)
  const named = { ...submission, merchantId: of?.merchantId ?? '', organisationName: of?.name ?? '' }
  await queueMail(tx, reviewMail(settings, named, token, now), now)
}
