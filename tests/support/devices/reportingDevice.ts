import { randomUUID } from 'node:crypto'
import type { Db } from '../../../server/db/engine/Database.ts'
import { missingTaking } from '../../../server/db/schema/devices.ts'
import { hashToken } from '../../../server/services/opaqueToken.ts'
import { DEVICE_REPORT_HEADER, type DeviceReport } from '../../../src/contract/devices/deviceReports.ts'
import {
  type MissingTakings,
  NO_TAKING,
  takingText,
  TAKINGS_HEADER,
  writeTakings,
  type Taking,
  toRanges,
} from '../../../src/contract/redemptions/takings.ts'
import type { Organisation } from '../database/builders.ts'

/** A report as a till sends it. */
export const reportHeader = (report: DeviceReport): Record<string, string> => ({
  [DEVICE_REPORT_HEADER]: JSON.stringify(report),
})

/** The sequence of a till, as its device keeps it. */
export class TestSequence {
  readonly id = randomUUID()
  #number = 0
  #hash = NO_TAKING

  /** The next number, for the hold of this id. */
  take(holdId: string): Taking {
    const taking = { sequence: this.id, number: this.#number + 1, previous: this.#hash }
    this.#number = taking.number
    this.#hash = hashToken(takingText(taking, holdId))
    return taking
  }

  /** What a report says, with the numbers that are still on the device. */
  said(open: readonly number[] = []): DeviceReport['sequence'] {
    return { id: this.id, number: this.#number, hash: this.#hash, open: toRanges(open) }
  }
}

export const takingsHeader = (...takings: (Taking | undefined)[]): Record<string, string> => ({
  [TAKINGS_HEADER]: writeTakings(takings),
})

/** A number of a till that is open as missing, and what closes it. */
export async function makeMissing(
  db: Db,
  { organisation }: { organisation: Pick<Organisation, 'id'> },
  till: { guid: string },
  given: Partial<typeof missingTaking.$inferInsert> = {},
): Promise<Omit<MissingTakings, 'noticed_at'> & { reason: string }> {
  const row = { sequence: randomUUID() as string, number: 47, kind: 'missing' as const, ...given }
  const noticedAt = new Date('2026-11-21T01:00:00Z')
  await db.insert(missingTaking).values({ organisationId: organisation.id, tillGuid: till.guid, noticedAt, ...row })
  return { sequence: row.sequence, kind: row.kind, from: row.number, to: row.number, reason: 'The tablet broke.' }
}
