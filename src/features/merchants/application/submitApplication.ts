import type * as v from 'valibot'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import { signup } from '../../../contract/merchants/signup.ts'
import { errorSentence } from '../../../ui/form/formErrors.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import type { ApplicationSchema } from './applicationSchema.ts'
import { BRAND_LABELS } from './brands.ts'

export type Application = v.InferOutput<typeof ApplicationSchema>

/**
 * Sends the application with a captcha proof. It may be sent again after a lost answer: the server knows it by its id. Throws
 * ApiError.
 */
export async function submitApplication(application: Application, prove: () => Promise<string>): Promise<void> {
  const send = async () => call(signup, { body: { application, captcha_proof: await prove() } })
  try {
    await send()
  } catch (error) {
    // The proof expired on a slow connection: another one is made, once.
    if (!(error instanceof ApiError) || error.code !== 'CAPTCHA_INVALID') throw error
    await send()
  }
}

/** Why it failed, at the fields of the form where it fits. */
export function submitFailure(error: unknown, { brands }: Application): FormFailure {
  if (!(error instanceof ApiError)) return toFormFailure(error)
  if (error.isConnectionFault) return { message: 'Submitting needs a connection. What you typed is kept.' }
  switch (error.code) {
    case 'IDEMPOTENCY_KEY_REUSED':
      return { message: 'This application has arrived already, as it was before your last changes. Check your email.' }
    case 'TERMS_OUTDATED':
      return {
        message: 'The terms and conditions have changed. Reload this page to read and accept them. Your draft is kept.',
      }
    default: {
      const { fields, ...failure } = toFormFailure(error)
      return fields ? { ...failure, fields: fields.map((field) => toFormField(field, brands)) } : failure
    }
  }
}

interface FieldIssue {
  path: string
  message: string
}

/** An error in one brand is shown at the list of brands, with the brand's name. */
function toFormField({ path, message }: FieldIssue, brands: Application['brands']): FieldIssue {
  const [, index, field] = /^application\.brands\.(\d+)\.(\w+)/.exec(path) ?? []
  const brand = brands[Number(index)]
  if (!brand) return { path: path.replace(/^application\./, ''), message }
  const label = BRAND_LABELS[field as keyof typeof BRAND_LABELS] ?? 'Brand'
  return { path: 'brands', message: `${brand.name}: ${errorSentence(label, message)}` }
}

/** Positions of brands whose logo has to be uploaded again. */
export const refusedLogos = (error: unknown): number[] =>
  error instanceof ApiError
    ? error.fields.flatMap(({ path }) => {
        const [, index] = /^application\.brands\.(\d+)\.logo$/.exec(path) ?? []
        return index === undefined ? [] : [Number(index)]
      })
    : []
