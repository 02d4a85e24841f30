import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../../server/db/engine/Database.ts'
import { mfa, recoveryCode } from '../../../server/db/schema/accounts.ts'
import { sealSecret } from '../../../server/secrets/sealSecret.ts'
import { hashRecoveryCode, newRecoveryCodes } from '../../../server/services/accounts/mfa/mfaCodes.ts'
import type { User } from '../database/builders.ts'
import { testSecrets } from '../server/testSecrets.ts'

/** The authenticator app of an enrolled user. */
export type Enrolled = Awaited<ReturnType<typeof enrolMfa>>

/**
 * Gives `user` an active authenticator app and recovery codes. `totp.generate({ timestamp })` returns the code of an instant. The server takes each
 * code once, and none older than the last.
 */
export async function enrolMfa(db: Db, user: Pick<User, 'id' | 'loginName'>) {
  const totp = new TOTP({ issuer: 'Merchant portal', label: user.loginName, secret: new Secret() })
  const recoveryCodes = newRecoveryCodes()
  const sealedSecret = sealSecret(testSecrets(), user.id, totp.secret.base32)
  await db
    .insert(mfa)
    .values({ userId: user.id, sealedSecret, lastStep: 0, enabledAt: new Date('2026-01-01T00:00:00Z') })
  await db
    .insert(recoveryCode)
    .values(recoveryCodes.map((code) => ({ userId: user.id, codeHash: hashRecoveryCode(code) })))
  return { totp, recoveryCodes }
}
