import { myInfo } from '../contract/account.ts'
import type { AnswerOf } from '../contract/endpoint.ts'
import { parseAnswer } from './call.ts'
import { send } from './transport.ts'

/** Who a token belongs to, asked before the token is stored: a sign-in is complete or it never was. Throws ApiError. */
export const profileOf = async (token: string): Promise<AnswerOf<typeof myInfo>> =>
  parseAnswer(myInfo, await send(myInfo, {}, token))
