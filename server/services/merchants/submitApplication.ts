import { isDeepStrictEqual } from 'node:util'
import { TERMS_VERSION, type Brand, type MerchantApplication } from '../../../src/contract/merchants/application.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findApplication, insertApplication } from '../../db/merchants/applications.ts'
import { countFailure, THROTTLES } from '../../db/throttles.ts'
import type { CheckedUpload } from '../../db/uploads.ts'
import type { Deps } from '../../Deps.ts'
import { refuseSpentProof, requireProof } from '../accounts/captcha/verifyCaptcha.ts'
import type { Caller } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { networkOf, refuseBeyond, refuseWhileBlocked } from '../throttles.ts'
import { attachUpload, checkUpload } from '../uploads/uploads.ts'
import { openAccounts } from './openAccounts.ts'

interface SentApplication {
  application: MerchantApplication
  captcha_proof: string
}

/**
 * Accepts an application. Accounts and mails are made after the answer, so that neither the answer nor its time tells whether the email is known
 * (SGN-01). The same application sent again, after a lost answer or by several calls at once, counts as accepted. Throws Refusal TERMS_OUTDATED,
 * TOO_MANY_ATTEMPTS after ten in an hour from one address (SGN-05), CAPTCHA_INVALID, UPLOAD_UNKNOWN, INVALID_IMAGE, and IDEMPOTENCY_KEY_REUSED for
 * another application under the same id.
 */
export async function submitApplication(
  deps: Deps,
  { application, captcha_proof: proof }: SentApplication,
  { ipAddress }: Caller,
) {
  if (await isAccepted(deps, application)) return
  refuseOutdatedTerms(application)
  await refuseWhileBlocked(deps.database.db, THROTTLES.signup, networkOf(ipAddress), deps.clock.now())
  try {
    await acceptApplication(deps, application, proof, ipAddress)
  } catch (error) {
    // When the same application was sent twice at once, the other call has used up the proof and the files, which is no error.
    if (!(error instanceof Refusal) || !(await isAccepted(deps, application))) {
      await countRefused(deps, ipAddress, error)
      throw error
    }
  }
  deps.background.run('open_accounts_failed', () => openAccounts(deps))
}

async function isAccepted({ database }: Deps, application: MerchantApplication): Promise<boolean> {
  const found = await findApplication(database.db, application.id)
  if (found && !isDeepStrictEqual(found, application)) throw new Refusal('IDEMPOTENCY_KEY_REUSED')
  return found !== undefined
}

function refuseOutdatedTerms({ terms_version }: MerchantApplication): void {
  if (terms_version === TERMS_VERSION) return
  const field = { path: 'application.terms_version', rule: 'version', message: 'must be the version in force' }
  throw new Refusal('TERMS_OUTDATED', { fields: [field] })
}

/** Counts a refused application too, because checking its logos costs as much. */
async function countRefused({ database, clock }: Deps, ipAddress: string, error: unknown): Promise<void> {
  if (error instanceof Refusal) await countFailure(database.db, THROTTLES.signup, networkOf(ipAddress), clock.now())
}

async function acceptApplication(
  deps: Deps,
  application: MerchantApplication,
  proof: string,
  ipAddress: string,
): Promise<void> {
  const { database, clock } = deps
  await refuseSpentProof(database.db, proof, 'signup', clock.now())
  const logos = await checkLogos(deps, application.brands)
  await database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    if (!(await insertApplication(tx, application, now))) throw new Refusal('IDEMPOTENCY_KEY_REUSED')
    await requireProof(tx, proof, 'signup', now)
    for (const [path, logo] of logos) await attachUpload(tx, logo, path, now)
    await refuseBeyond(tx, THROTTLES.signup, networkOf(ipAddress), now)
  })
}

/** Checks each logo once, because brands may share one. The keys are paths in the request body. */
async function checkLogos(deps: Deps, brands: Brand[]): Promise<Map<string, CheckedUpload>> {
  const logos = new Map<string, CheckedUpload>()
  const seen = new Set<string>()
  for (const [index, { logo: key }] of brands.entries()) {
    if (seen.has(key)) continue
    seen.add(key)
    const path = `application.brands.${index}.logo`
    logos.set(path, await checkUpload(deps, 'public', { kind: 'brand_logo', key, path }))
  }
  return logos
}
