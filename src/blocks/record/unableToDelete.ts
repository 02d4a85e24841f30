import * as v from 'valibot'
import type { ApiError } from '../../api/ApiError.ts'
import { InUse } from '../../contract/tables/resourceEndpoints.ts'
import { confirm } from '../../state/dialogs.ts'

type Reason = InUse['reasons'][number]

const REASON_MESSAGES: Record<Reason, string> = {
  redemptions: 'Vouchers were redeemed there.',
  'POS users': 'It has POS users.',
  branches: 'It manages branches.',
  'sign-ins': 'Somebody has logged in with it.',
}

/** The spec's 'Unable to Delete' (§8), with what still refers to the record. `false` for any other refusal. */
export async function unableToDelete(error: ApiError): Promise<boolean> {
  if (error.code !== 'IN_USE') return false
  const { reasons } = v.parse(InUse, error.data)
  await confirm({
    title: 'Unable to Delete',
    consequence: 'Something still refers to it. It can be deactivated instead.',
    items: reasons.map((reason) => ({ id: reason, text: REASON_MESSAGES[reason] })),
    wayOut: 'Close',
    destructive: false,
  })
  return true
}
