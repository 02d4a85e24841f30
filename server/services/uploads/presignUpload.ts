import { randomUUID } from 'node:crypto'
import type { Presigned, UploadKind } from '../../../src/contract/uploads.ts'
import type { Db } from '../../db/engine/Database.ts'
import { THROTTLES } from '../../db/throttles.ts'
import { insertUpload, type UploadOwner } from '../../db/uploads.ts'
import type { Deps } from '../../Deps.ts'
import { requireProof } from '../accounts/captcha/verifyCaptcha.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { networkOf, refuseBeyond } from '../accounts/sign-in/throttledAttempt.ts'
import { Refusal } from '../Refusal.ts'

export interface Announced {
  kind: UploadKind
  content_type: string
  /** Bytes. */
  content_length: number
  filename?: string | undefined
}

/**
 * Where a merchant may PUT one file of its organisation. Throws Refusal FORBIDDEN for a POS user, TOO_MANY_ATTEMPTS after 20
 * in a minute (UPL-07).
 */
export async function presignUpload(deps: Deps, actor: Actor, announced: Announced): Promise<Presigned> {
  if (actor.type === 'POS User') throw new Refusal('FORBIDDEN')
  await refuseBeyond(deps.database.db, THROTTLES.presign, actor.userId, deps.clock.now())
  const owner = { organisationId: actor.organisation.id, userId: actor.userId }
  return presign(deps, deps.database.db, owner, announced)
}

/**
 * Where whoever applies may PUT one file of the application, against a captcha proof. Throws Refusal CAPTCHA_REQUIRED,
 * CAPTCHA_INVALID, or TOO_MANY_ATTEMPTS after 100 in an hour from one IP address (UPL-09).
 */
export async function presignPublicUpload(
  deps: Deps,
  ipAddress: string,
  { captcha_token, ...announced }: Announced & { captcha_token?: string | undefined },
): Promise<Presigned> {
  const { database, clock } = deps
  return database.db.transaction(async (tx: Db) => {
    await requireProof(tx, captcha_token, 'upload', clock.now())
    await refuseBeyond(tx, THROTTLES.publicPresign, networkOf(ipAddress), clock.now())
    return presign(deps, tx, 'public', announced)
  })
}

/** The key is random, for that of an application's file is all it takes to attach it. */
async function presign({ store, clock }: Deps, tx: Db, owner: UploadOwner, announced: Announced): Promise<Presigned> {
  const { kind, content_type: contentType, content_length: size, filename = '' } = announced
  const key = `${owner === 'public' ? owner : owner.organisationId}/${kind}/${randomUUID()}`
  const put = await store.presignPut(`incoming/${key}`, { contentType, contentLength: size })
  await insertUpload(tx, owner, { key, kind, contentType, size, filename: shownName(filename) }, clock.now())
  return { url: put.url, method: 'PUT', headers: put.headers, key, expires_at: put.expiresAt.toISOString() }
}

/** A name to show, without folders and control characters. */
const shownName = (filename: string) =>
  filename
    .split(/[/\\]/)
    .at(-1)!
    // oxlint-disable-next-line no-control-regex -- control characters are what must not pass
    .replaceAll(/[\u0000-\u001f\u007f]/g, '')
    .slice(0, 200)
