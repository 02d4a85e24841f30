import type { Master } from '../../../src/contract/masters.ts'
import { updateAccount } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import { rowOf } from '../../db/tables/DataTable.ts'
import { type FoundMaster, masterTable } from '../../db/masters.ts'
import { lockUser } from '../../db/accounts/loginUsers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { changeLoginEmail } from '../changeLoginEmail.ts'
import { Refusal } from '../Refusal.ts'
import { refuseTaken, UNIQUE_EMAIL } from '../recordConflicts.ts'
import { staleRevision } from '../staleRevision.ts'
import { masterName } from './masterListing.ts'
import { noteMaster } from './noteMaster.ts'
import { readMaster } from './readMaster.ts'

interface MasterEdit {
  name: string
  email: string
  revision: number
}

/** Throws Refusal NOT_FOUND, STALE_REVISION with the record as it is, and the codes of `changeLoginEmail`. */
export async function updateMaster(deps: Deps, actor: Actor, id: string, asked: MasterEdit): Promise<Master> {
  const { scope } = actor
  const updated = await refuseTaken([UNIQUE_EMAIL], () =>
    deps.database.db.transaction(async (tx: Db) => {
      await lockUser(tx, id)
      const found = await rowOf(tx, masterTable, scope, id)
      if (!found) throw new Refusal('NOT_FOUND')
      if (found.revision !== asked.revision) throw staleRevision(await readMaster(tx, scope, id))
      await updateAccount(tx, id, { name: asked.name })
      await changeLoginEmail(tx, deps, found, asked.email)
      await noteEdit(tx, actor, found, asked, deps.clock.now())
      return readMaster(tx, scope, id)
    }),
  )
  deps.mailWaiting()
  return updated
}

/** The e-mail is an act of its own; saving what was there already is none. */
async function noteEdit(tx: Db, actor: Actor, before: FoundMaster, { name, email }: MasterEdit, now: Date) {
  const master = { guid: before.id, name }
  if (masterName(before) !== name) {
    const details = { changed: 'name', old_name: masterName(before) }
    await noteMaster(tx, actor, master, { action: 'master.edited', details }, now)
  }
  if (before.email === email) return
  const details = { old_email: before.email, email }
  await noteMaster(tx, actor, master, { action: 'account.email_changed', details }, now)
}
