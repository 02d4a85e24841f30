import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import type { AccountStatus } from '../../../contract/accounts/permissions.ts'
import * as merchant from '../../../contract/merchants/onboarding.ts'
import type { Onboarding } from '../../../contract/merchants/onboarding.ts'
import { auth, profileRead } from '../../../state/auth.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'

/**
 * Submits, and tells the rest of the portal what the account is now; `accepted` is called before that changes the screen. An
 * answer that was lost is not submitted twice: the server then says that the account is past this step, and it is.
 */
export async function submitOnboarding(body: Onboarding, accepted: () => void): Promise<FormFailure | undefined> {
  try {
    const { status } = await call(merchant.submitOnboarding, { body })
    accepted()
    applyStatus(status)
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.code === 'INVALID_STATE') return confirmSubmitted(accepted)
    return submitFailure(error)
  }
}

async function confirmSubmitted(accepted: () => void): Promise<FormFailure | undefined> {
  try {
    const profile = await call(myInfo)
    accepted()
    profileRead(profile)
    return undefined
  } catch (error) {
    return submitFailure(error)
  }
}

function submitFailure(error: unknown): FormFailure {
  const said = toFormFailure(error)
  if (!(error instanceof ApiError)) return said
  if (error.isConnectionFault) return { message: `${said.message} Your draft is kept. Try again.` }
  return AGREEMENT_LOST.includes(error.code) ? { ...said, fields: [agreementIssue(said)] } : said
}

const AGREEMENT_LOST: readonly string[] = ['UPLOAD_UNKNOWN', 'INVALID_PDF']
const agreementIssue = ({ message, fields }: FormFailure) => fields?.[0] ?? { path: 'merchant_agreement', message }

function applyStatus(status: AccountStatus) {
  if (auth.user) profileRead({ user: { ...auth.user, status }, permissions: auth.permissions })
}
