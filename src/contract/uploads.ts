import * as v from 'valibot'
import { captchaProof } from './accounts/captcha.ts'
import { endpoint } from './endpoint.ts'
import { LIMITS } from './limits.ts'
import { uploadKey } from './merchants/merchantFields.ts'
import { instant, optionalText } from './wireFields.ts'

const UPLOAD_KINDS = ['profile_logo', 'brand_logo', 'merchant_agreement'] as const
export type UploadKind = (typeof UPLOAD_KINDS)[number]

const UPLOAD_TYPES = {
  profile_logo: ['image/jpeg', 'image/png'],
  brand_logo: ['image/jpeg', 'image/png'],
  merchant_agreement: ['application/pdf'],
} as const satisfies Record<UploadKind, readonly string[]>

const KB = 1_024

/** Rules 13.1 and 13.2. "Under" 100KB excludes 100KB itself; "max" 50KB and 5MB include it. */
const SIZES = {
  profile_logo: {
    most: LIMITS.profileLogoKb * KB,
    words: `Profile logo size must not exceed ${LIMITS.profileLogoKb}KB.`,
  },
  brand_logo: { most: LIMITS.brandLogoKb * KB - 1, words: `Brand logo size must be under ${LIMITS.brandLogoKb}KB.` },
  merchant_agreement: {
    most: LIMITS.agreementMb * KB * KB,
    words: `Merchant agreement must be under ${LIMITS.agreementMb}MB.`,
  },
} as const satisfies Record<UploadKind, { most: number; words: string }>

const TYPE_WORDS = { logo: 'must be JPEG or PNG', pdf: 'must be a PDF' } as const

/** Returns the spec's words for a file that is too large for its kind; `undefined` for any other. */
export const sizeFault = (kind: UploadKind, bytes: number): string | undefined =>
  bytes > SIZES[kind].most ? SIZES[kind].words : undefined

const sizeOf = (kind: UploadKind) =>
  v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(1, 'must not be empty'),
    v.maxValue(SIZES[kind].most, SIZES[kind].words),
  )

const file = <const K extends UploadKind>(kind: K) => ({
  kind: v.literal(kind),
  content_type: v.picklist(UPLOAD_TYPES[kind], kind === 'merchant_agreement' ? TYPE_WORDS.pdf : TYPE_WORDS.logo),
  /** The size in bytes, which the store accepts exactly. */
  content_length: sizeOf(kind),
  /** The name on the user's device, for display only: the server chooses the key (UPL-01). */
  filename: v.optional(optionalText(1_000)),
})

const Presigned = v.object({
  url: v.string(),
  method: v.literal('PUT'),
  /** The headers to send unchanged with the file, without a token or a cookie (rule 13.4). */
  headers: v.record(v.string(), v.string()),
  key: uploadKey,
  expires_at: instant,
})
export type Presigned = v.InferOutput<typeof Presigned>

export const presign = endpoint({
  method: 'POST',
  path: '/s3_upload/s3_presigned_url',
  access: 'session',
  summary: 'Get an address to PUT a file to, valid once and for five minutes',
  body: v.variant('kind', [
    v.strictObject(file('profile_logo')),
    v.strictObject(file('brand_logo')),
    v.strictObject(file('merchant_agreement')),
  ]),
  answer: Presigned,
  errors: ['FORBIDDEN', 'TOO_MANY_ATTEMPTS'],
})

/** The proof for the action `upload`. It is optional here, so that a request without it gets 403 instead of 422 (UPL-09). */
const proof = { captcha_token: v.optional(captchaProof) }

/** For the application form, before an account exists. */
export const presignPublic = endpoint({
  method: 'POST',
  path: '/s3_upload/s3_presigned_url/public',
  access: 'public',
  summary: 'Get an address to PUT a file of an application to; needs a captcha proof',
  body: v.variant('kind', [
    v.strictObject({ ...file('brand_logo'), ...proof }),
    v.strictObject({ ...file('merchant_agreement'), ...proof }),
  ]),
  answer: Presigned,
  errors: ['CAPTCHA_REQUIRED', 'CAPTCHA_INVALID', 'TOO_MANY_ATTEMPTS'],
})
