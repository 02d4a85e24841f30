import { expect } from '@playwright/test'
import type { MailKind } from '../../server/db/schema.ts'
import { mailsTo } from './api/mailbox.ts'
import type { PortalOrigin } from './browser/portalOrigin.ts'

/** The link in the `nth` mail of one kind to `address`, and the last. It is waited for: some are written behind the answer. */
export async function linkInMail({ database }: PortalOrigin, address: string, kind: MailKind, nth = 1) {
  const mails = async () => (await mailsTo(database.db, address)).filter((mail) => mail.kind === kind)
  await expect.poll(async () => (await mails()).length).toBe(nth)
  return /https?:\S+/.exec((await mails()).at(-1)?.text ?? '')![0]
}
