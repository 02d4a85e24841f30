import { v7 as uuidv7 } from 'uuid'
import type { Db } from './Database.ts'
import { activity, type DecidedVia } from './schema.ts'

/** Who acts: a signed-in person, or the provider, who has no account. */
export type Doer =
  { userId: string; loginName: string; via: 'portal'; device?: string } | { provider: true; via: DecidedVia }

export interface Deed {
  /** Whose log it belongs to; `null` for what concerns the programme. */
  organisationId: string | null
  /** In the past tense, as it is shown: "submitted the onboarding". */
  action: string
  subject: { type: string; id: string }
  /** Facts beside it. Never a password, a PIN or a token. */
  details?: Record<string, string | number>
}

/** Writes down who did what, in the transaction of what was done. The database lets nobody change it afterwards. */
export async function noteActivity(
  tx: Db,
  doer: Doer,
  { organisationId, action, subject, details = {} }: Deed,
  now: Date,
): Promise<void> {
  const by =
    'provider' in doer
      ? { userId: null, actor: 'Provider', device: null }
      : { userId: doer.userId, actor: doer.loginName, device: doer.device ?? null }
  const what = { action, subjectType: subject.type, subjectId: subject.id, details }
  await tx.insert(activity).values({ id: uuidv7(), at: now, organisationId, via: doer.via, ...by, ...what })
}
