import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { branchApi } from '../../api/business.ts'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { Branch } from '../../contract/branches.ts'
import type { FormFailure } from '../../ui/form/useForm.ts'

/** A branch with all that a save of it has to hold. */
export type BranchWithDetails = Branch & {
  [K in 'email' | 'business' | 'financial_contact']: NonNullable<Branch[K]>
}

export const hasDetails = (branch: Branch): branch is BranchWithDetails =>
  branch.email !== null && branch.business !== null && branch.financial_contact !== null

/**
 * Sets the PIN and leaves all else as the server has it. Where somebody else has saved the branch meanwhile, this goes on top
 * of that; where they have set a PIN, nothing is sent without asking.
 */
export async function setPin(branch: BranchWithDetails, pin: string): Promise<FormFailure | void> {
  try {
    await sendPin(branch, pin)
  } catch (error) {
    const current = newerBranch(error)
    if (!current) return toFormFailure(error)
    if (current.pin.set_at !== branch.pin.set_at) return { message: OTHER_PIN }
    return sendPin(current, pin).then(() => undefined, toFormFailure)
  }
}

const OTHER_PIN = 'Somebody else has set a new PIN meanwhile. Set yours again to replace it.'

const sendPin = (branch: BranchWithDetails, pin: string) => {
  const { guid, name, code, email, business, financial_contact, master_guid, revision } = branch
  const body = { name, code, email, business, financial_contact, master_guid, revision, pin }
  return branchApi.update({ params: { id: guid }, body })
}

function newerBranch(error: unknown): BranchWithDetails | undefined {
  if (!(error instanceof ApiError) || error.code !== 'STALE_REVISION') return undefined
  const current = v.parse(Branch, error.data['current'])
  return hasDetails(current) ? current : undefined
}
