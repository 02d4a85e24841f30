import { Dexie } from 'dexie'
import { subscribeKey } from 'valtio/vanilla/utils'
import { connectApi, type ApiPorts } from '../../src/api/ports.ts'
import { probeServer } from '../../src/api/probeServer.ts'
import { tillWire } from '../../src/api/tillWire.ts'
import { connectivity, reportContact } from '../../src/offline/connectivity/connectivity.ts'
import { watchConnectivity } from '../../src/offline/connectivity/watchConnectivity.ts'
import { tillDatabase, thisTill } from '../../src/offline/redemptions/openTill.ts'
import type { Till } from '../../src/offline/redemptions/Till.ts'
import { withLock } from '../../src/offline/store/withLock.ts'
import { runOutsideTakeover } from '../../src/offline/update/takeoverPause.ts'
import { serveTill } from '../../src/start/queues.ts'

/*
 * The code of a tab: starts the same as src/main.tsx and src/start/startOffline.ts, without screens, downloads and updates. Built once,
 * run in each tab.
 */

export { connectivity, Dexie }

interface Parts extends Pick<ApiPorts, 'getToken' | 'onRefreshed' | 'onUnauthorized' | 'serverNow'> {
  /** Called at the start, and at every change. */
  onVerdict: (verdict: string) => void
  onTill: (till: Till) => void
}

export function startPage(parts: Parts): void {
  const { onVerdict, onTill, ...session } = parts
  connectApi({
    ...session,
    sessionBaseUrls: () => undefined,
    onTrouble: () => undefined,
    idleSeconds: () => 0,
    runRequest: runOutsideTakeover,
    runAlone: withLock,
    onContact: reportContact,
  })
  subscribeKey(connectivity, 'verdict', onVerdict)
  void watchConnectivity(probeServer)
  void tillDatabase().open()
  serveTill(tillWire)
  void thisTill().then(onTill)
}
