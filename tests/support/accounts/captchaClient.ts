import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { CaptchaAction, PowChallenge } from '../../../src/contract/accounts/captcha.ts'
import { get, post, type Ask } from '../api/portalClient.ts'

/** Solves a challenge of this server as a browser would. Returns the token. */
export async function solvedWork(ask: Ask): Promise<string> {
  const { data } = await get<{ challenge: PowChallenge }>(ask, '/api/signup/captcha')
  const { challenge } = data
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('the challenge was not solved in time')
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

/** Returns a proof for one call of `action`. */
export async function captchaProof(ask: Ask, action: CaptchaAction): Promise<string> {
  const body = { token: await solvedWork(ask), action }
  return (await post<{ proof: string }>(ask, '/api/signup/recaptcha/verify/v3', body)).data.proof
}
