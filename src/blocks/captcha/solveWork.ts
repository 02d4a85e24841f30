import type { PowChallenge } from '../../contract/accounts/captcha.ts'

/**
 * The token of a solved proof of work. About a second; each key is derived by the browser's own crypto off the main thread, so
 * the page stays as quick as it was, without a worker.
 */
export async function solveProofOfWork(challenge: PowChallenge): Promise<string> {
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ])
  const { keySignature, ...parameters } = challenge.parameters
  const posed = { ...challenge, parameters: keySignature === undefined ? parameters : { ...parameters, keySignature } }
  const solution = await solveChallenge({ challenge: posed, deriveKey })
  if (!solution) throw new Error('The proof of work was not found in time')
  return btoa(JSON.stringify({ challenge, solution }))
}
