import { sql, type SQL } from 'drizzle-orm'
import type { Database, Db } from '../../../server/db/engine/Database.ts'

export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Returns all nodes of PostgreSQL's plan for a statement of a tenant, with the tenant wall applied. */
export async function planOf(
  database: Database,
  organisationId: string,
  statement: (tenant: Db) => unknown,
): Promise<PlanNode[]> {
  const { db } = database.forTenant(organisationId)
  const explained = await db.execute(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement(db) as SQL}`)
  const [row] = (explained as unknown as { rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[] }).rows
  return nodesOf(row!['QUERY PLAN'][0]!.Plan)
}

export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
