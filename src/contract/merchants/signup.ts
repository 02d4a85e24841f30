import * as v from 'valibot'
import { captchaProof } from '../accounts/captcha.ts'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { MerchantApplication } from './application.ts'

/**
 * Gives the same answer in the same time, for known and unknown emails and organisations (SGN-01). The same application sent again, as after a lost
 * answer, gets the same answer and needs no new proof; another application with its id gets IDEMPOTENCY_KEY_REUSED.
 */
export const signup = endpoint({
  method: 'POST',
  path: '/signup',
  access: 'public',
  summary: 'Apply for a merchant account',
  body: v.strictObject({ application: MerchantApplication, captcha_proof: captchaProof }),
  size: 'application',
  slow: true,
  answer: v.object({ accepted: v.literal(true) }),
  errors: [
    'CAPTCHA_INVALID',
    'TERMS_OUTDATED',
    'INVALID_IMAGE',
    'UPLOAD_UNKNOWN',
    'IDEMPOTENCY_KEY_REUSED',
    'TOO_MANY_ATTEMPTS',
  ],
})

/**
 * Mails the applicant once more what the application has led to, to the address in it: the link, or what happens with the account of that address.
 * The answer is the same either way (SGN-01). `id` is the application's, which only its browser knows. At most once in LIMITS.resendMinutes; sooner
 * gets TOO_MANY_ATTEMPTS.
 */
export const resendApplicationMail = endpoint({
  method: 'POST',
  path: '/signup/resend',
  access: 'public',
  summary: 'Mail the applicant again',
  body: v.strictObject({ id: guid }),
  answer: v.object({ sent: v.literal(true) }),
  errors: ['NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
})

const ProductServiceCategory = v.object({ guid, name: v.string() })
type ProductServiceCategory = v.InferOutput<typeof ProductServiceCategory>

export const productServiceCategories = endpoint({
  method: 'GET',
  path: '/signup/product_service_category/list',
  access: 'public',
  summary: 'The categories of what a merchant can offer',
  answer: v.array(ProductServiceCategory),
})

export const agreementPdf = endpoint({
  method: 'GET',
  path: '/signup/merchant_agreement/pdf',
  access: 'public',
  summary: 'The merchant agreement to sign and upload, as PDF',
  answer: { file: ['application/pdf'] },
})

export const termsPdf = endpoint({
  method: 'GET',
  path: '/signup/terms_and_condition/pdf',
  access: 'public',
  summary: 'The terms and conditions in force, as PDF, in the words of the page',
  answer: { file: ['application/pdf'] },
})
