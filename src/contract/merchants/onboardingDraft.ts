import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { LIMITS } from '../limits.ts'
import { revision } from '../tables/resourceEndpoints.ts'
import { count, instant, listOf, optionalText } from '../wireFields.ts'
import { uploadKey } from './merchantFields.ts'

/** An uploaded file in a draft; `size` in bytes. */
export const DraftFile = v.strictObject({ key: uploadKey, filename: optionalText(200), size: count })

const answer = v.union([
  optionalText(LIMITS.reasonLength),
  v.boolean(),
  listOf(optionalText(LIMITS.nameLength), LIMITS.categories),
  v.null(),
  DraftFile,
])

/** The fields of the form by name, as typed: a draft may be incomplete, incorrect, or of another release. */
export const DraftValues = v.pipe(v.record(optionalText(LIMITS.nameLength), answer), v.maxEntries(LIMITS.draftFields))

export type DraftValues = v.InferOutput<typeof DraftValues>

/** A stored draft. Every save gives it a new revision, and no revision comes twice, even after the draft was removed. */
export const OnboardingDraft = v.object({ revision, saved_at: instant, values: DraftValues })

export type OnboardingDraft = v.InferOutput<typeof OnboardingDraft>

/** Gives null if there is no draft. Only an HRP main account has one; others get FORBIDDEN. */
export const readOnboardingDraft = endpoint({
  method: 'GET',
  path: '/merchant/onboarding/draft',
  access: 'session',
  summary: 'The draft of my onboarding, or null',
  answer: v.nullable(OnboardingDraft),
})

/**
 * Stores the draft, or with `values: null` removes it. `revision` is that of the draft which these answers continue, null if there was none. If
 * another device has saved or removed it meanwhile, the call gets STALE_REVISION, and `data.current` is the stored draft or null. After the
 * submission, which removes the draft, it gets INVALID_STATE. Typing is no action of the activity log.
 */
export const saveOnboardingDraft = endpoint({
  method: 'PUT',
  path: '/merchant/onboarding/draft',
  access: 'session',
  summary: 'Store or remove the draft of my onboarding',
  body: v.strictObject({ revision: v.nullable(revision), values: v.nullable(DraftValues) }),
  answer: v.nullable(v.object({ revision, saved_at: instant })),
  errors: ['STALE_REVISION', 'INVALID_STATE'],
})
