import { randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as v from 'valibot'
import { PowChallenge, PowSolution, type CaptchaAction } from '../../../../src/contract/accounts/captcha.ts'
import { insertProof, isProofGood, spendProof } from '../../../db/accounts/captcha.ts'
import type { Db } from '../../../db/engine/Database.ts'
import type { Deps, RecaptchaSettings } from '../../../Deps.ts'
import { derivedKey } from '../../../secrets/secrets.ts'
import { hashToken, newToken } from '../../opaqueToken.ts'
import { Refusal } from '../../Refusal.ts'
import { recaptchaScript, verifyRecaptcha } from './recaptcha.ts'

/** Below this score, v3 takes the visitor for a machine, and the checkbox of v2 decides. The verifier recommends this value. */
const MIN_SCORE = 0.5
/** The verifier remembers a used token for two minutes; this server remembers it for longer. */
const TOKEN_MINUTES = 10

interface ShownToken {
  token: string
  action: CaptchaAction
}

/** Returns the captcha that this server uses. */
export async function offerCaptcha(deps: Deps) {
  const { recaptcha } = deps.settings
  if (!recaptcha) return { kind: 'pow' as const, challenge: await newChallenge(deps) }
  return {
    kind: 'recaptcha' as const,
    script_url: recaptchaScript(recaptcha),
    site_key_v3: recaptcha.v3.siteKey,
    site_key_v2: recaptcha.v2.siteKey,
  }
}

/**
 * Returns a proof for a good v3 token, or for a solved proof of work when no keys are configured; `fallback` for a low score. Throws Refusal
 * CAPTCHA_INVALID, and Unavailable when the verifier cannot be reached.
 */
export async function verifyV3(deps: Deps, shown: ShownToken) {
  const { recaptcha } = deps.settings
  if (!recaptcha) return verifyWork(deps, shown)
  const { success, score = 0, action } = await verifyRecaptcha(recaptcha, 'v3', shown.token)
  if (!success || action !== shown.action) throw new Refusal('CAPTCHA_INVALID')
  if (score < MIN_SCORE) return { fallback: 'v2' as const }
  return proofForToken(deps, shown)
}

/** Returns a proof for a solved checkbox of v2. Without configured keys, does the same as `verifyV3`. */
export async function verifyV2(deps: Deps, shown: ShownToken) {
  const { recaptcha } = deps.settings
  return recaptcha ? verifyBox(deps, recaptcha, shown) : verifyWork(deps, shown)
}

async function verifyBox(deps: Deps, recaptcha: RecaptchaSettings, shown: ShownToken) {
  const { success } = await verifyRecaptcha(recaptcha, 'v2', shown.token)
  if (!success) throw new Refusal('CAPTCHA_INVALID')
  return proofForToken(deps, shown)
}

async function verifyWork(deps: Deps, { token, action }: ShownToken) {
  const { source, until } = await checkSolution(deps, token)
  return giveProof(deps, action, source, until)
}

const proofForToken = (deps: Deps, { token, action }: ShownToken) =>
  giveProof(deps, action, token, new Date(deps.clock.now().getTime() + TOKEN_MINUTES * 60_000))

/** This is long enough, because the browser asks for the challenge when it needs a proof, not when the form opens. */
const CHALLENGE_MINUTES = 10
/** The number of derivations, each of `COST_ROUNDS` rounds: about 0.5 s on a laptop, 2 to 3 s on a till's tablet. */
const COUNTER = { least: 300, most: 600 }
const COST_ROUNDS = 2_000

const keyOf = ({ secrets }: Deps) => derivedKey(secrets, 'captcha proof of work')

/** Creates a challenge. Every server with the same secret can check its solution. */
async function newChallenge(deps: Deps): Promise<PowChallenge> {
  const expires = Math.floor(deps.clock.now().getTime() / 1_000) + CHALLENGE_MINUTES * 60
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST_ROUNDS,
    counter: randomInt(COUNTER.least, COUNTER.most),
    deriveKey,
    hmacSignatureSecret: keyOf(deps),
    // The library's own expiry would use the clock of the machine, not `deps.clock`.
    data: { expires },
  })
  return v.parse(PowChallenge, challenge)
}

interface SolvedWork {
  /** Identifies the challenge, whatever form its solution has. */
  source: string
  until: Date
}

/** Returns the challenge that the protocol's `token` solves. Throws Refusal CAPTCHA_INVALID unless it is ours, solved and in time. */
async function checkSolution(deps: Deps, token: string): Promise<SolvedWork> {
  const { challenge, solution } = readToken(token)
  const until = new Date(challenge.parameters.data.expires * 1_000)
  // This checks our signature first, so a stranger cannot choose the cost of the check.
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

const PROOF_MINUTES = 2

/**
 * Gives a proof for one call of `action` within two minutes, on any server: the caller is a person, or a machine that has worked for it. Each
 * `source` gives one proof until `sourceUntil`. Throws Refusal CAPTCHA_INVALID for a second proof.
 */
export async function giveProof(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  action: CaptchaAction,
  source: string,
  sourceUntil: Date,
): Promise<{ proof: string; expires_at: string }> {
  const now = clock.now()
  const proof = newToken()
  const expiresAt = new Date(now.getTime() + PROOF_MINUTES * 60_000)
  const keptUntil = new Date(Math.max(expiresAt.getTime(), sourceUntil.getTime()))
  const row = { proofHash: hashToken(proof), sourceHash: hashToken(source), action, expiresAt, keptUntil }
  if (!(await insertProof(database.db, row, now))) throw new Refusal('CAPTCHA_INVALID')
  return { proof, expires_at: expiresAt.toISOString() }
}

/**
 * Uses `proof` up for one call of `action`, in the transaction of that call, so that a failure of the call gives the proof back. Throws Refusal
 * CAPTCHA_REQUIRED without a proof, CAPTCHA_INVALID for a proof that is used, too old or for another action (SGN-02).
 */
export async function requireProof(tx: Db, proof: string | undefined, action: CaptchaAction, now: Date): Promise<void> {
  if (!proof) throw new Refusal('CAPTCHA_REQUIRED')
  if (!(await spendProof(tx, hashToken(proof), action, now))) throw new Refusal('CAPTCHA_INVALID')
}

/** Throws Refusal CAPTCHA_INVALID when `requireProof` would, but does not use the proof up. Call it before expensive work. */
export async function refuseSpentProof(db: Db, proof: string, action: CaptchaAction, now: Date): Promise<void> {
  if (!(await isProofGood(db, hashToken(proof), action, now))) throw new Refusal('CAPTCHA_INVALID')
}
