import { LIMITS } from '../../src/contract/limits.ts'
import type { Statement } from './engine/Database.ts'

/** The denominations there are. Jumps from one to the next in the index, for a DISTINCT would read every voucher. */
export const DENOMINATIONS_STATEMENT: Statement<[], { denomination_cents: number }> = {
  name: 'denominations',
  text: `
    WITH RECURSIVE step AS (
      SELECT min(denomination_cents) AS denomination_cents FROM voucher
      UNION ALL
      SELECT (SELECT min(v.denomination_cents) FROM voucher v WHERE v.denomination_cents > step.denomination_cents)
      FROM step WHERE step.denomination_cents IS NOT NULL
    )
    SELECT denomination_cents FROM step WHERE denomination_cents IS NOT NULL LIMIT ${LIMITS.listRows}`,
}
