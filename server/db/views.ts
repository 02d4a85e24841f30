import { and, asc, count, eq, ne, or, sql } from 'drizzle-orm'
import { LIMITS } from '../../src/contract/limits.ts'
import type { Db } from './engine/Database.ts'
import { appUser } from './schema/organisations.ts'
import { defaultView, savedView } from './schema/views.ts'

/** Whose views a call may see: their own, and what their organisation shares. */
export interface Viewer {
  userId: string
  organisationId: string
}

const columns = {
  id: savedView.id,
  ownerId: savedView.ownerId,
  owner: sql<string>`coalesce(${appUser.name}, ${appUser.loginName})`,
  list: savedView.list,
  name: savedView.name,
  shared: savedView.shared,
  state: savedView.state,
  revision: savedView.revision,
  isDefault: sql<boolean>`${defaultView.viewId} IS NOT NULL`,
}

const visibleTo = ({ userId, organisationId }: Viewer) =>
  and(eq(savedView.organisationId, organisationId), or(eq(savedView.ownerId, userId), eq(savedView.shared, true)))

const visible = (db: Db, viewer: Viewer) =>
  db
    .select(columns)
    .from(savedView)
    .innerJoin(appUser, eq(appUser.id, savedView.ownerId))
    .leftJoin(defaultView, and(eq(defaultView.viewId, savedView.id), eq(defaultView.userId, viewer.userId)))

/** Theirs first, so that what others share never crowds them out; at most LIMITS.listRows. */
export const visibleViews = (db: Db, viewer: Viewer) =>
  visible(db, viewer)
    .where(visibleTo(viewer))
    .orderBy(sql`${savedView.ownerId} <> ${viewer.userId}`, asc(sql`lower(${savedView.name})`), asc(savedView.id))
    .limit(LIMITS.listRows)
export type FoundView = Awaited<ReturnType<typeof visibleViews>>[number]

export async function findView(db: Db, viewer: Viewer, id: string): Promise<FoundView | undefined> {
  const [found] = await visible(db, viewer).where(and(visibleTo(viewer), eq(savedView.id, id)))
  return found
}

/** The caller holds the owner's row, so that nobody counts beside it. */
export async function countViews(tx: Db, ownerId: string): Promise<number> {
  const [found] = await tx.select({ count: count() }).from(savedView).where(eq(savedView.ownerId, ownerId))
  return found?.count ?? 0
}

export async function insertView(tx: Db, row: typeof savedView.$inferInsert): Promise<void> {
  await tx.insert(savedView).values(row)
}

type Change = Pick<typeof savedView.$inferInsert, 'name' | 'shared' | 'state'>

/** Whether it still was theirs and as they saw it. */
export async function changeView(
  tx: Db,
  { id, ownerId, revision }: { id: string; ownerId: string; revision: number },
  change: Change,
): Promise<boolean> {
  const changed = await tx
    .update(savedView)
    .set({ ...change, revision: sql`${savedView.revision} + 1` })
    .where(and(eq(savedView.id, id), eq(savedView.ownerId, ownerId), eq(savedView.revision, revision)))
    .returning({ id: savedView.id })
  return changed.length > 0
}

export async function deleteView(tx: Db, id: string, ownerId: string): Promise<void> {
  await tx.delete(savedView).where(and(eq(savedView.id, id), eq(savedView.ownerId, ownerId)))
}

/** `null` for none. */
export async function chooseDefault(tx: Db, userId: string, list: string, viewId: string | null): Promise<void> {
  if (viewId === null) {
    await tx.delete(defaultView).where(and(eq(defaultView.userId, userId), eq(defaultView.list, list)))
    return
  }
  await tx
    .insert(defaultView)
    .values({ userId, list, viewId })
    .onConflictDoUpdate({ target: [defaultView.userId, defaultView.list], set: { viewId } })
}

/** Takes one view from them as the default, and leaves another in its place. */
export async function dropDefault(tx: Db, userId: string, viewId: string): Promise<void> {
  await tx.delete(defaultView).where(and(eq(defaultView.userId, userId), eq(defaultView.viewId, viewId)))
}

/** A view that is shared no longer is nobody else's default. */
export async function dropDefaultsOfOthers(tx: Db, viewId: string, ownerId: string): Promise<void> {
  await tx.delete(defaultView).where(and(eq(defaultView.viewId, viewId), ne(defaultView.userId, ownerId)))
}
