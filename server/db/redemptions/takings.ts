import { and, asc, between, desc, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { MissingKind, HashedTaking } from '../../../src/contract/redemptions/takings.ts'
import type { Db } from '../engine/Database.ts'
import { deviceReport, missingTaking, type ComparedSequence } from '../schema/devices.ts'
import { endedHold, redemption, taking } from '../schema/redemptions.ts'

/**
 * Writes down that a taking arrived with the end of its hold; again adds nothing. False for a hold that was never made: there is nobody
 * to write it for.
 */
export async function insertTaking(tx: Db, holdId: string, arrived: HashedTaking, now: Date): Promise<boolean> {
  const [ended] = await tx
    .select({ organisationId: endedHold.organisationId })
    .from(endedHold)
    .where(eq(endedHold.id, holdId))
  const [redeemed] = await tx
    .select({ organisationId: redemption.organisationId })
    .from(redemption)
    .where(eq(redemption.id, holdId))
  const organisationId = ended?.organisationId ?? redeemed?.organisationId
  if (!organisationId) return false
  await writeTaking(tx, organisationId, holdId, arrived, now)
  return true
}

/** The same of an organisation that is known. False where this number of the till stands for something else. */
export async function writeTaking(
  tx: Db,
  organisationId: string,
  holdId: string,
  { sequence, number, previous, hash }: HashedTaking,
  now: Date,
): Promise<boolean> {
  const hex = (text: string) => sql<Uint8Array>`decode(${text}, 'hex')`
  const row = { organisationId, sequence, number, previousHash: hex(previous), hash: hex(hash), holdId, arrivedAt: now }
  const made = await tx.insert(taking).values(row).onConflictDoNothing().returning({ holdId: taking.holdId })
  if (made.length > 0) return true
  const isIt = and(eq(taking.organisationId, organisationId), eq(taking.sequence, sequence), eq(taking.number, number))
  const [found] = await tx.select({ holdId: taking.holdId }).from(taking).where(isIt)
  return found?.holdId === holdId
}

/** Whose sequence it is, and which. */
export interface TillSequence {
  organisationId: string
  tillGuid: string
  sequence: string
}

/** How far the takings of a till were compared, and whether some are missing. With `lock` nobody else compares them until the transaction ends. */
export async function findCompared(db: Db, tillGuid: string, lock = false) {
  const query = db
    .select({
      compared: deviceReport.sequence,
      missing: sql<number>`(SELECT count(*)::int FROM missing_taking WHERE till_guid = ${deviceReport.tillGuid} AND ${stillMissing})`,
    })
    .from(deviceReport)
    .where(eq(deviceReport.tillGuid, tillGuid))
  const [found] = lock ? await query.for('update') : await query
  return found
}

export async function putCompared(tx: Db, tillGuid: string, sequence: ComparedSequence | null): Promise<void> {
  await tx.update(deviceReport).set({ sequence }).where(eq(deviceReport.tillGuid, tillGuid))
}

const stillMissing = sql`kind = 'missing' AND arrived_at IS NULL AND closed_at IS NULL`

/** Those of a till that are noted as missing and have arrived since: says so of them, and which they are. */
export async function noteArrived(tx: Db, tillGuid: string): Promise<{ sequence: string; number: number }[]> {
  return tx
    .update(missingTaking)
    .set({ arrivedAt: taking.arrivedAt })
    .from(taking)
    .where(
      and(
        eq(missingTaking.tillGuid, tillGuid),
        eq(missingTaking.kind, 'missing'),
        isNull(missingTaking.arrivedAt),
        isTakingOf,
      ),
    )
    .returning({ sequence: missingTaking.sequence, number: missingTaking.number })
}

const isTakingOf = and(
  eq(taking.organisationId, missingTaking.organisationId),
  eq(taking.sequence, missingTaking.sequence),
  eq(taking.number, missingTaking.number),
)

/** Notes those of `numbers` that have not arrived; of the same again nothing. */
export const noteMissing = (tx: Db, of: TillSequence, numbers: readonly number[], now: Date): Promise<void> =>
  note(
    tx,
    of,
    'missing',
    now,
    sql`SELECT said.number FROM unnest(${list(numbers)}) AS said (number)
        WHERE NOT EXISTS (SELECT FROM taking t WHERE ${isOf(of, sql`t`)} AND t.number = said.number)`,
  )

/**
 * Notes those of `numbers` that arrived and do not fit the one before, or are the newest and do not have the hash that the till signed.
 * Where one of two neighbours has not arrived there is nothing to compare.
 */
export const noteBroken = (
  tx: Db,
  of: TillSequence,
  numbers: readonly number[],
  head: { number: number; hash: string; first: string },
  now: Date,
): Promise<void> =>
  note(
    tx,
    of,
    'broken',
    now,
    sql`SELECT t.number FROM taking t
        LEFT JOIN taking p ON ${isOf(of, sql`p`)} AND p.number = t.number - 1
        WHERE ${isOf(of, sql`t`)} AND t.number = ANY(${list(numbers)})
          AND (t.previous_hash <> CASE WHEN t.number = 1 THEN decode(${head.first}, 'hex') ELSE p.hash END
            OR t.number = ${head.number} AND t.hash <> decode(${head.hash}, 'hex'))`,
  )

const list = (numbers: readonly number[]) => sql`${sql.param([...numbers])}::integer[]`

const isOf = ({ organisationId, sequence }: TillSequence, table: SQL) =>
  sql`${table}.organisation_id = ${organisationId}::uuid AND ${table}.sequence = ${sequence}::uuid`

async function note(tx: Db, of: TillSequence, kind: MissingKind, now: Date, numbers: SQL): Promise<void> {
  const { organisationId, tillGuid, sequence } = of
  await tx.execute(sql`
    INSERT INTO missing_taking (organisation_id, sequence, number, kind, till_guid, noticed_at)
    SELECT ${organisationId}::uuid, ${sequence}::uuid, found.number, ${kind}, ${tillGuid}::uuid, ${now.toISOString()}::timestamptz
    FROM (${numbers}) AS found
    ON CONFLICT DO NOTHING`)
}

/** Open: nobody has closed it, and it has not arrived meanwhile, seen or not. */
export const isOpen = (missing: SQL): SQL => sql`
  ${missing}.closed_at IS NULL AND ${missing}.arrived_at IS NULL
  AND (${missing}.kind = 'broken' OR NOT EXISTS (
    SELECT FROM taking t WHERE t.organisation_id = ${missing}.organisation_id
      AND t.sequence = ${missing}.sequence AND t.number = ${missing}.number))`

/** Closes what is open of these numbers. Answers how many it were. */
export async function closeTakings(
  tx: Db,
  tillGuid: string,
  { sequence, kind, from, to }: { sequence: string; kind: MissingKind; from: number; to: number },
  closing: { closedAt: Date; closedBy: string; reason: string },
): Promise<number> {
  const closed = await tx
    .update(missingTaking)
    .set(closing)
    .where(
      and(
        eq(missingTaking.tillGuid, tillGuid),
        eq(missingTaking.sequence, sequence),
        eq(missingTaking.kind, kind),
        between(missingTaking.number, from, to),
        isOpen(sql`missing_taking`),
      ),
    )
    .returning({ number: missingTaking.number })
  return closed.length
}

/** What somebody has closed of a till, the newest first. */
export const closedTakings = (db: Db, tillGuid: string, most: number) =>
  db
    .select()
    .from(missingTaking)
    .where(and(eq(missingTaking.tillGuid, tillGuid), isNotNull(missingTaking.closedAt)))
    .orderBy(
      desc(missingTaking.closedAt),
      asc(missingTaking.sequence),
      desc(missingTaking.kind),
      asc(missingTaking.number),
    )
    .limit(most)
