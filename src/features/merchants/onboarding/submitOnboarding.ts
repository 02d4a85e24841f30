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
 * Submits, and sets the new status of the account. `accepted` is called before, since the new status changes the screen. After
 * a lost answer a second submission is refused as INVALID_STATE; then the account's status is read instead.
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
  const failure = toFormFailure(error)
  if (!(error instanceof ApiError)) return failure
  if (error.isConnectionFault) return { message: `${failure.message} Your draft is kept. Try again.` }
  return AGREEMENT_LOST.includes(error.code) ? { ...failure, fields: [agreementIssue(failure)] } : failure
}

const AGREEMENT_LOST: readonly string[] = ['UPLOAD_UNKNOWN', 'INVALID_PDF']
const agreementIssue = ({ message, fields }: FormFailure) => fields?.[0] ?? { path: 'merchant_agreement', message }

function applyStatus(status: AccountStatus) {
  if (auth.user) profileRead({ user: { ...auth.user, status }, permissions: auth.permissions })
}
