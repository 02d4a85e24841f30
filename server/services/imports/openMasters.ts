import type { FieldIssue } from '../../../src/contract/envelope.ts'
import type { ImportedBranch } from '../../../src/contract/imports.ts'
import { lockOpenMasters } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { lockChosenMaster, noMaster } from '../branches/masterOf.ts'
import type { Row } from './Batch.ts'

/** Who is to manage a branch that an actor imports, by the rule of `lockChosenMaster` for many at once. */
export interface OpenMasters {
  of(record: Pick<ImportedBranch, 'master_guid'>): string | null
  against(record: Pick<ImportedBranch, 'master_guid'>): FieldIssue[]
}

/** The masters that these rows name stay open until the transaction ends. Throws Refusal FORBIDDEN like `lockChosenMaster`. */
export async function openMasters(tx: Db, actor: Actor, rows: readonly Row<ImportedBranch>[]): Promise<OpenMasters> {
  const own = actor.type === 'Additional Merchant' ? await lockChosenMaster(tx, actor, null) : null
  const named = new Set(rows.flatMap(({ record }) => record.master_guid ?? []))
  const open = own === null ? await lockOpenMasters(tx, actor.scope, [...named]) : new Set([own])
  return {
    of: ({ master_guid }) => own ?? master_guid,
    against: ({ master_guid }) => (master_guid === null || open.has(master_guid) ? [] : [noMaster]),
  }
}
