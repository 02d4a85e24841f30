import * as v from 'valibot'
import type { ApiError } from '../../api/ApiError.ts'
import { InUse } from '../../contract/resourceEndpoints.ts'
import { showToast } from '../../state/toasts.ts'

type Reason = InUse['reasons'][number]

const WORDS: Record<Reason, string> = {
  redemptions: 'vouchers were redeemed there',
  'POS users': 'it has POS users',
  branches: 'it manages branches',
  'sign-ins': 'somebody has logged in with it',
}

/** The spec's 'Unable to Delete' (§8), with what still refers to the record. `false` for any other refusal. */
export function unableToDelete(error: ApiError): boolean {
  if (error.code !== 'IN_USE') return false
  const { reasons } = v.parse(InUse, error.data)
  const why = reasons.map((reason) => WORDS[reason]).join(', and ')
  showToast({ tone: 'danger', text: `Unable to Delete. ${why.charAt(0).toUpperCase()}${why.slice(1)}.` })
  return true
}
