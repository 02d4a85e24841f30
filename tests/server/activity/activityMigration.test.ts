import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asc, eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { MIGRATIONS } from '../../../server/db/engine/openPostgresql.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { makeHold, makeMerchant, makePosUser, makeUser } from '../../support/database/builders.ts'
import { db, it, server } from '../../support/server/serverTest.ts'

/** What the migration does to rows that are there; the tables themselves it has changed already. */
const CHANGES_ROWS = /^(UPDATE|ALTER TABLE activity (DISABLE|ENABLE))/

it('gives the acts that were written in phrases their codes, names and branches, and forbids changes again', async () => {
  const { organisation, branch, main } = await makeMerchant(db())
  const till = await makePosUser(db(), { organisation, branch })
  const login = await makeUser(db(), 'Branch Merchant', { organisation, branch })
  const { voucher } = await makeHold(db(), till, server.clock.now())
  const old = (action: string, subjectType: string, subjectId: string, userId: string | null = null) =>
    db().execute(sql`
      INSERT INTO activity (id, at, organisation_id, user_id, actor, via, action, subject_type, subject_id, details)
      VALUES (gen_random_uuid(), now(), ${organisation.id}, ${userId}, 'somebody', 'portal', ${action}, ${subjectType}, ${subjectId}, '{}')`)
  await old('submitted the onboarding', 'organisation', organisation.id, main.id)
  await old('approved', 'review', till.id)
  await old('removed the authenticator app', 'user', login.id)
  await old('released', 'voucher', voucher.id, login.id)

  const text = await readFile(join(MIGRATIONS, '0010_activity_log.sql'), 'utf8')
  const statements = text.split('--> statement-breakpoint').map((one) => one.replaceAll(/^\s*--.*$/gm, '').trim())
  // Together, as a migration runs them.
  await db().transaction(async (tx) => {
    for (const statement of statements) if (CHANGES_ROWS.test(statement)) await tx.execute(sql.raw(statement))
  })

  const rows = await db()
    .select()
    .from(activity)
    .where(eq(activity.organisationId, organisation.id))
    .orderBy(asc(activity.action))
  expect(rows).toMatchObject([
    { action: 'hold.released', subjectName: `…${voucher.serial.slice(-4)}`, branchId: branch.id },
    { action: 'mfa.removed', subjectType: 'branch', subjectId: branch.id, branchId: branch.id },
    { action: 'onboarding.submitted', subjectName: organisation.name, branchId: null },
    {
      action: 'review.approved',
      subjectType: 'organisation',
      subjectId: organisation.id,
      subjectName: organisation.name,
    },
  ])
  await expect(db().update(activity).set({ actor: 'x' })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('never changed or deleted') as string },
  })
})
