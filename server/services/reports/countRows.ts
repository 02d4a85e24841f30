import { sql } from 'drizzle-orm'
import type { Sum } from '../../../src/contract/reports/reportPreview.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { RowSource } from '../../db/RowSource.ts'
import type { ReportPlan } from './planReport.ts'

/** Rows the file will have; `total` is of the same redemptions. */
export const countRows = (db: Db, { isGrouped }: ReportPlan, source: RowSource, total: Sum): Promise<number> =>
  isGrouped ? db.$count(sql`${source.all(db)} AS rows`) : Promise.resolve(total.count)
