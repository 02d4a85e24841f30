import { Dexie } from 'dexie'
import { subscribeKey } from 'valtio/vanilla/utils'
import { connectApi, type ApiPorts } from '../../src/api/ports.ts'
import { probeServer } from '../../src/api/probeServer.ts'
import { tillWire } from '../../src/api/tillWire.ts'
import { mayReload, reload } from '../../src/blocks/lazy/reload.ts'
import { connectivity, reportContact } from '../../src/offline/connectivity/connectivity.ts'
import { watchConnectivity } from '../../src/offline/connectivity/watchConnectivity.ts'
import { tillDatabase, thisTill } from '../../src/offline/redemptions/openTill.ts'
import type { Till } from '../../src/offline/redemptions/Till.ts'
import { withLock } from '../../src/offline/store/withLock.ts'
import { appUpdate, startAppUpdate } from '../../src/offline/update/appUpdate.ts'
import { outsideTakeover } from '../../src/offline/update/takeoverPause.ts'
import { serveTill } from '../../src/start/queues.ts'
import { hasUnsavedWork } from '../../src/state/unsavedWork.ts'

/*
 * The code of a tab: what src/main.tsx and src/start/startOffline.ts start, without the screens. Built once, run anew in each tab.
 */

export { discardDownload, enqueueDownload, markSaved, retryDownload } from '../../src/offline/outbox/outbox.ts'
export { wakeOutbox } from '../../src/offline/outbox/outboxSender.ts'
export { acceptUpdate, appUpdate, snoozeUpdate } from '../../src/offline/update/appUpdate.ts'
export { markUnsaved } from '../../src/state/unsavedWork.ts'
export { serveDownloads } from '../../src/start/queues.ts'
export { connectivity, Dexie }

interface Parts extends Pick<ApiPorts, 'getToken' | 'onRefreshed' | 'onUnauthorized' | 'serverNow'> {
  /** It is open at the counter. */
  isCounter: boolean
  /** Once it is open, and at every change. */
  onVerdict: (verdict: string) => void
  onUpdate: (phase: typeof appUpdate.phase) => void
  onTill: (till: Till) => void
}

export function startPage(parts: Parts): void {
  const { isCounter, onVerdict, onUpdate, onTill, ...session } = parts
  connectApi({
    ...session,
    sessionBases: () => undefined,
    onTrouble: () => undefined,
    idleSeconds: () => 0,
    ask: outsideTakeover,
    alone: withLock,
    onContact: reportContact,
  })
  subscribeKey(appUpdate, 'phase', onUpdate)
  subscribeKey(connectivity, 'verdict', onVerdict)
  // Asked what becomes of a voucher in hand, a cashier finishes it first.
  void startAppUpdate({ mayReload, settleWork: async () => !hasUnsavedWork(), reload })
  void watchConnectivity(probeServer)
  if (isCounter) void tillDatabase().open()
  serveTill(tillWire)
  void thisTill().then(onTill)
}
