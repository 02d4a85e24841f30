import { liveQuery, type Subscription } from 'dexie'
import { subscribe } from 'valtio/vanilla'
import type { DrillEvent } from '../domain/devices/drill.ts'
import { connectivity } from '../offline/connectivity/connectivity.ts'
import { drillStore } from '../offline/drill/drillRuns.ts'
import { readOutbox } from '../offline/outbox/outbox.ts'
import { followUnsent } from '../offline/redemptions/openTill.ts'
import { storageHealth } from '../offline/storage/storageHealth.ts'
import { userStore } from '../offline/storage/userStore.ts'
import {
  lastDrillRun,
  noteDrillEvent,
  onRefusedWrite,
  simulateDeviceFault,
  type DrillRun,
} from '../offline/store/drill.ts'
import type { OutboxRow } from '../offline/store/userRows.ts'
import { appUpdate } from '../offline/update/appUpdate.ts'
import { installAnotherWorker } from '../offline/update/workerRegistration.ts'
import { auth } from '../state/auth.ts'
import { toasts } from '../state/toasts.ts'

/** Builds with the outage drill only: this page's clock and storage follow the run, and what the app does is written down. */
export function watchDrill(): void {
  onRefusedWrite((store) => note({ kind: 'writeRefused', store }))
  liveQuery(() => lastDrillRun(drillStore())).subscribe(obey)
  subscribe(connectivity, onChange(judged))
  subscribe(
    appUpdate,
    onChange(() => ({ kind: 'update', phase: appUpdate.phase })),
  )
  subscribe(
    auth,
    onChange(() => ({ kind: 'clock', offMs: auth.clock_offset_ms })),
  )
  subscribe(
    storageHealth,
    onChange(() => ({ kind: 'storage', trouble: storageHealth.trouble })),
  )
  noteToasts()
  noteQueue()
  noteUploads()
}

const judged = (): DrillEvent => ({ kind: 'line', verdict: connectivity.verdict })

/** The worker does its part by itself, with each call. */
function obey(run: DrillRun | undefined) {
  const on = run?.endedAt === undefined ? run : undefined
  simulateDeviceFault(on?.scenario)
  // Of an outage that was on before this page, or before the drill: no change will come to be noted.
  if (on && connectivity.verdict !== 'online') note(judged())
  if (on?.scenario === 'update') void installAnotherWorker(on.id).catch(() => undefined)
}

const note = (event: DrillEvent) => void noteDrillEvent(drillStore(), event).catch(() => undefined)

/** Only when it says something else than before. */
function onChange(tell: () => DrillEvent): () => void {
  let told = JSON.stringify(tell())
  return () => {
    const event = tell()
    if (JSON.stringify(event) === told) return
    told = JSON.stringify(event)
    note(event)
  }
}

function noteToasts() {
  const said = new Map<number, string>()
  subscribe(toasts, () => {
    for (const { id, text } of toasts.items) {
      if (said.get(id) === text) continue
      said.set(id, text)
      note({ kind: 'toast', text })
    }
  })
}

/** Of whoever is signed in: the queue is theirs, and so is the database it lies in. */
function noteQueue() {
  let queue = { waiting: 0, ready: 0, failed: 0 }
  const noteDownloads = onChange(() => ({ kind: 'queue', ...queue }))
  let following: Subscription | undefined
  let followed: string | undefined
  const follow = () => {
    const owner = auth.user?.guid
    if (owner === followed) return
    followed = owner
    following?.unsubscribe()
    if (owner === undefined) return
    following = liveQuery(() => countQueue(owner)).subscribe({
      next: (counted) => {
        queue = counted
        noteDownloads()
      },
      error: () => undefined,
    })
  }
  follow()
  subscribe(auth, follow)
}

async function countQueue(owner: string) {
  const rows = await readOutbox(userStore(owner))
  const count = (...states: OutboxRow['state'][]) => rows.filter(({ state }) => states.includes(state)).length
  return { waiting: count('waiting', 'sending'), ready: count('ready'), failed: count('failed') }
}

function noteUploads() {
  let count = 0
  const noteCount = onChange(() => ({ kind: 'uploads', count }))
  followUnsent((unsent) => {
    count = unsent.count
    noteCount()
  })
}
