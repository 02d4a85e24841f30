import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../server/db/engine/Database.ts'
import { mailOutbox, type MailKind } from '../../../server/db/schema/mailOutbox.ts'

/** Returns the mails to `address`, oldest first. */
export const mailsTo = (db: Db, address: string) =>
  db.select().from(mailOutbox).where(eq(mailOutbox.toAddress, address)).orderBy(asc(mailOutbox.id))

/** Returns the tokens in the links of one kind that were mailed to `address`, oldest first. */
export async function mailedTokens(db: Db, address: string, wanted: MailKind = 'reset'): Promise<string[]> {
  const mails = await mailsTo(db, address)
  return mails.flatMap(({ kind, text }) => (kind === wanted ? [/#token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''] : []))
}
