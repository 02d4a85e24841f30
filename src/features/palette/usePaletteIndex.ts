import { useEffect, useState } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { refreshReferenceList } from '../../blocks/reference-lists/refreshReferenceList.ts'
import { refreshViews } from '../../blocks/views/savedViews.ts'
import type { PermissionMap } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { ReferenceListKey } from '../../offline/store/referenceLists.ts'
import { whenIdle } from '../../state/firstScreen.ts'
import { commandItems } from './commandItems.ts'
import { deviceItems, visibleLists } from './deviceItems.ts'
import type { Item } from './Item.ts'
import { ItemIndex } from './ItemIndex.ts'
import { recentIds } from './recentItems.ts'

export interface PaletteIndex {
  index: ItemIndex<Item>
  /** Chosen last, newest first. */
  recent: readonly Item[]
  asOf: Date | undefined
  /** Lists of which the device has only the first part. */
  cut: readonly ReferenceListKey[]
}

/**
 * The index of everything this person can go to or do. Built when the palette opens: at once from what is stored on the device,
 * then again when the server has answered.
 */
export function usePaletteIndex(user: User, permissions: PermissionMap, offline: boolean): PaletteIndex | undefined {
  const [ready, setReady] = useState<PaletteIndex>()
  useEffect(() => {
    let left = false
    const make = async () => {
      const made = await makeIndex(user, permissions, offline)
      if (!left) setReady(made)
    }
    void make().then(async () => {
      if (offline || left) return
      await refreshLists(user, permissions)
      if (!left) await make()
    })
    return () => {
      left = true
    }
  }, [user, permissions, offline])
  return ready
}

async function makeIndex(user: User, permissions: PermissionMap, offline: boolean): Promise<PaletteIndex> {
  const [stored, ids] = await Promise.all([deviceItems(user, permissions), recentIds(user.guid)])
  const items = [...commandItems(user, permissions, offline), ...stored.items]
  const byId = new Map(items.map((item) => [item.id, item]))
  const recent = ids.flatMap((id) => byId.get(id) ?? [])
  const chosen = new Set(recent)
  // Of equal matches the one that was chosen recently comes first.
  const ordered = [...recent, ...items.filter((item) => !chosen.has(item))]
  const index = await ItemIndex.of(ordered, untilIdle)
  const cut = (['branches', 'posUsers'] as const).filter((key) => (stored.lengths[key] ?? 0) >= LIMITS.listRows)
  return { index, recent, asOf: stored.asOf, cut }
}

async function refreshLists(user: User, permissions: PermissionMap): Promise<void> {
  const asked = visibleLists(user, permissions).map((key) =>
    key === 'views' ? refreshViews(user.guid) : refreshReferenceList(user.guid, key),
  )
  for (const answer of await Promise.allSettled(asked)) {
    if (answer.status === 'rejected' && !(answer.reason instanceof ApiError)) reportError(answer.reason)
  }
}

const IDLE_WITHIN_MS = 100

/** Resolves when the page has nothing to draw, or after a short time. Safari has no idle callback and takes the next task. */
const untilIdle = (): Promise<void> =>
  new Promise((resolve) => {
    whenIdle(resolve, { atLatestMs: IDLE_WITHIN_MS, withoutIdleMs: 0 })
  })
