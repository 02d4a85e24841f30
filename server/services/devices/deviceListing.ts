import type { DeviceRow } from '../../../src/contract/devices.ts'
import type { DEVICE_COLUMNS, DEVICE_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import { deviceTable, type FoundDevice } from '../../db/devices.ts'
import type { Listing } from '../tables/readTable.ts'

type Column = (typeof DEVICE_COLUMNS)[number]
type Filter = (typeof DEVICE_FILTERS)[number]

export const deviceListing: Listing<FoundDevice, DeviceRow, Column, Filter> = {
  table: deviceTable,
  rowOf: (found) => ({
    guid: found.id,
    till_guid: found.tillId,
    name: found.name,
    branch_guid: found.branchId,
    branch_name: found.branchName,
    named_at: found.namedAt.toISOString(),
    report: found.heardAt === null ? null : reportOf(found, found.heardAt),
  }),
  listOrder: [{ column: 'name', sort_type: 'asc' }],
  nameOf: ({ name }) => name,
  title: 'Devices',
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
})
