import { subscribeKey } from 'valtio/vanilla/utils'
import { baseUrl, ownBase } from '../api/baseUrl.ts'
import { call } from '../api/call.ts'
import { carryReports } from '../api/transport.ts'
import { DEVICE_REPORT_HEADER, registerDeviceKey } from '../contract/devices.ts'
import { LIMITS } from '../contract/limits.ts'
import { recentDays } from '../domain/devices/connectionDiary.ts'
import { failedChecks } from '../domain/devices/shiftCheck.ts'
import { singaporeDay } from '../domain/singaporeTime.ts'
import { startDeviceReports, type ReportPorts } from '../offline/devices/deviceReports.ts'
import { auth, serverNow } from '../state/auth.ts'
import { connectionDiary } from '../state/connectionDiary.ts'
import { tillDevice } from '../state/counter.ts'
import { shiftCheck } from '../state/shiftCheck.ts'

/** A till tells its merchant how it is (decision 0078). In a chunk of its own: nobody waits for it. */
export function reportDevice(): void {
  const { changed, take } = startDeviceReports({
    till: () => tillDevice.guid,
    cashier,
    facts,
    register: (id, key) => call(registerDeviceKey, { params: { id }, body: { key } }),
  })
  carryReports((base): Record<string, string> => {
    // Another origin would first be asked whether it takes the header, and a server of the release before does not.
    const report = base === 'api' && baseUrl(base) === ownBase(base) ? take() : undefined
    return report === undefined ? {} : { [DEVICE_REPORT_HEADER]: report }
  })
  subscribeKey(auth, 'user', changed)
  subscribeKey(tillDevice, 'names', changed)
  subscribeKey(shiftCheck, 'last', changed)
}

/** The key is registered by whoever works at the counter of a device that has its name. */
function cashier() {
  const { user } = auth
  const branch = user?.type === 'POS User' ? user.branch_guid : null
  return user && branch && tillDevice.names[branch] !== undefined ? { guid: user.guid, branch } : undefined
}

function facts(): ReturnType<ReportPorts['facts']> {
  const { last } = shiftCheck
  return {
    connection: recentDays(connectionDiary.days, singaporeDay(new Date(serverNow())), LIMITS.diaryDaysTold),
    check: last
      ? {
          at: new Date(last.at).toISOString(),
          by: last.by,
          failed: failedChecks(last.outcomes).map(({ name }) => name),
        }
      : null,
  }
}
