import { randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as v from 'valibot'
import { PowChallenge, PowSolution } from '../../../../src/contract/accounts/captcha.ts'
import type { Deps } from '../../../Deps.ts'
import { derivedKey } from '../../../secrets/secrets.ts'
import { Refusal } from '../../Refusal.ts'

/** Long enough to fill in a form beside it: the browser asks for the challenge when it needs a proof, not before. */
const CHALLENGE_MINUTES = 10
/** Derivations of `COST` rounds: about half a second for a laptop, two or three for a till's tablet. */
const COUNTER = { least: 300, most: 600 }
const COST = 2_000

const keyOf = ({ secrets }: Deps) => derivedKey(secrets, 'captcha proof of work')

/** Something to work on for about a second; every server that shares the secret knows its own. */
export async function newChallenge(deps: Deps): Promise<PowChallenge> {
  const expires = Math.floor(deps.clock.now().getTime() / 1_000) + CHALLENGE_MINUTES * 60
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: randomInt(COUNTER.least, COUNTER.most),
    deriveKey,
    hmacSignatureSecret: keyOf(deps),
    // Not the library's own expiry: that goes by the clock of the machine.
    data: { expires },
  })
  return v.parse(PowChallenge, challenge)
}

export interface SolvedWork {
  /** Names the challenge, whatever the solution looks like. */
  source: string
  until: Date
}

/** The challenge behind a `token` of the protocol. Throws Refusal CAPTCHA_INVALID unless it is ours, solved and in time. */
export async function checkSolution(deps: Deps, token: string): Promise<SolvedWork> {
  const { challenge, solution } = readToken(token)
  const until = new Date(challenge.parameters.data.expires * 1_000)
  // Ours first: only then is its cost one that we have set.
  const { verified } = await verifySolution({
    challenge,
    solution,
    deriveKey,
    hmacSignatureSecret: keyOf(deps),
  })
  if (!verified || until <= deps.clock.now()) throw new Refusal('CAPTCHA_INVALID')
  return { source: challenge.parameters.nonce, until }
}

function readToken(token: string): v.InferOutput<typeof PowSolution> {
  try {
    return v.parse(PowSolution, JSON.parse(Buffer.from(token, 'base64').toString('utf8')))
  } catch {
    throw new Refusal('CAPTCHA_INVALID')
  }
}
