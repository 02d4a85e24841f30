import * as v from 'valibot'
import { ACCOUNT_STATUSES } from '../accounts/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { guid, text } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { instant, MESSAGES, opaqueToken } from '../wireFields.ts'
import { MerchantApplication } from './application.ts'
import { Onboarding } from './onboarding.ts'

const Document = v.object({
  title: v.string(),
  /** For example "PDF, 2.7 MB, 14 pages" or "PNG, 160 × 107 px". */
  description: v.string(),
  /** Valid for five minutes. The document is shown in a sandbox of its own. */
  url: v.string(),
})

const Decision = v.object({
  decision: v.picklist(['approve', 'reject']),
  reason: v.nullable(v.string()),
  at: instant,
})

/** Everything submitted, for the reviewer (rule 5.8). */
export const Review = v.object({
  guid,
  subject: v.picklist(['application', 'onboarding']),
  organisation_name: v.string(),
  merchant_id: v.string(),
  status: v.picklist(ACCOUNT_STATUSES),
  submitted_at: instant,
  submitted_by: v.string(),
  link_expires_at: instant,
  application: v.nullable(v.object({ ...MerchantApplication.entries })),
  onboarding: v.nullable(v.object({ ...Onboarding.entries })),
  /** The names of the chosen categories. */
  category_names: v.array(v.string()),
  /** Other organisations with this UEN, which only the provider may see. */
  same_uen: v.array(v.object({ merchant_id: v.string(), organisation_name: v.string() })),
  documents: v.array(Document),
  /** Earlier decisions, newest first; a rejected merchant may have submitted again. */
  earlier_decisions: v.array(Decision),
  decided: v.nullable(Decision),
})
export type Review = v.InferOutput<typeof Review>

/** The token of the mailed link. It is sent in the body, and never in an address: the page has it in its fragment. */
const token = opaqueToken

export const readReview = endpoint({
  method: 'POST',
  path: '/review/get',
  access: 'public',
  summary: 'Read what was submitted, with the token of the mailed link',
  body: v.strictObject({ token }),
  answer: Review,
  errors: ['LINK_INVALID', 'REVIEW_SUPERSEDED'],
})

export const decisionReason = text(LIMITS.reasonLength)

/** The same decision again, after a double click or by a second reviewer, gets the same answer. Another decision gets REVIEW_DECIDED. */
export const decideReview = endpoint({
  method: 'POST',
  path: '/review/decide',
  access: 'public',
  summary: 'Approve or reject what was submitted; the merchant gets an email',
  body: v.variant('decision', [
    v.strictObject({ token, decision: v.literal('approve') }),
    v.strictObject({ token, decision: v.literal('reject'), reason: decisionReason }),
  ]),
  answer: v.object({ status: v.picklist(ACCOUNT_STATUSES), decided: Decision }),
  errors: ['LINK_INVALID', 'REVIEW_DECIDED', 'REVIEW_SUPERSEDED', 'INVALID_STATE'],
})

/** The form of the page: only a rejection needs a reason. */
export const RejectForm = v.object({ reason: v.pipe(v.string(), v.nonEmpty(MESSAGES.required), decisionReason) })
