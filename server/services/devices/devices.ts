import type { Device, DeviceRow } from '../../../src/contract/devices.ts'
import type { DEVICE_COLUMNS, DEVICE_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import { deviceTable, readDiary, setTillName, type FoundDevice } from '../../db/devices.ts'
import type { Db } from '../../db/engine/Database.ts'
import { rowOf } from '../../db/tables/DataTable.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import type { Listing } from '../tables/readTable.ts'

type Column = (typeof DEVICE_COLUMNS)[number]
type Filter = (typeof DEVICE_FILTERS)[number]

export const deviceListing: Listing<FoundDevice, DeviceRow, Column, Filter> = {
  table: deviceTable,
  rowOf: deviceRow,
  listOrder: [{ column: 'name', sort_type: 'asc' }],
  nameOf: ({ name }) => name,
  title: 'Devices',
}

function deviceRow(found: FoundDevice & { id: string }): DeviceRow {
  return {
    guid: found.id,
    till_guid: found.tillId,
    name: found.name,
    branch_guid: found.branchId,
    branch_name: found.branchName,
    named_at: found.namedAt.toISOString(),
    report: found.heardAt === null ? null : reportOf(found, found.heardAt),
  }
}

/** Nothing of it is null where there was a report; types cannot know that of a left join. */
const reportOf = (found: FoundDevice, heardAt: Date): DeviceRow['report'] => ({
  heard_at: heardAt.toISOString(),
  clock_offset_ms: found.clockOffsetMs ?? 0,
  build: found.build ?? '',
  update_waits: found.updateWaits ?? false,
  browser: found.browser ?? '',
  persistent: found.persistent,
  waiting: {
    count: found.waitingCount ?? 0,
    cents: found.waitingCents ?? 0,
    oldest_at: found.oldestWaitingAt?.toISOString() ?? null,
  },
  refused: found.refused ?? 0,
  user: found.userName,
  connection: found.connection,
  check: found.shiftCheck,
})

/** Throws Refusal NOT_FOUND. */
export async function readDevice({ database: { db } }: Deps, { scope }: Actor, id: string): Promise<Device> {
  const found = await rowOf(db, deviceTable, scope, id)
  if (!found) throw new Refusal('NOT_FOUND')
  return { ...deviceRow(found), days: await readDiary(db, id) }
}

/** Gives a till of the actor's scope another name. Throws Refusal NOT_FOUND. */
export function renameDevice(
  { database, clock }: Deps,
  actor: Actor,
  id: string,
  { name }: { name: string },
): Promise<DeviceRow> {
  return database.db.transaction(async (tx: Db) => {
    const found = await rowOf(tx, deviceTable, actor.scope, id)
    if (!found) throw new Refusal('NOT_FOUND')
    if (found.name === name) return deviceRow(found)
    await setTillName(tx, id, name)
    await noteActivity(
      tx,
      actor,
      {
        organisationId: actor.organisation.id,
        action: 'till.renamed',
        subject: { type: 'till', id: found.tillId, name },
        branchId: found.branchId,
        details: { old_name: found.name },
      },
      clock.now(),
    )
    return deviceRow({ ...found, name })
  })
}
