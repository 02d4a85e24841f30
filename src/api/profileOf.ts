import { myInfo } from '../contract/accounts/account.ts'
import type { AnswerOf } from '../contract/endpoint.ts'
import { basesNow, type Bases } from './baseUrl.ts'
import { parseAnswer } from './call.ts'
import { send } from './transport.ts'

type Profile = AnswerOf<typeof myInfo>

/**
 * Who a token belongs to, and at which bases, asked before the token is stored: a sign-in is complete or it never was. Throws
 * ApiError.
 */
export async function profileOf(token: string): Promise<Profile & { session: Profile['session'] & { bases: Bases } }> {
  const bases = basesNow()
  const profile = await parseAnswer(myInfo, await send(myInfo, {}, token))
  return { ...profile, session: { ...profile.session, bases } }
}
