import type { Deps } from '../Deps.ts'

/** Organisations whose connections are kept at one time. Beyond that all are dropped, and made again when they call. */
const AT_MOST = 1_000

/**
 * Gives `deps` with a database that shows the rows of an organisation only, or the portal's own. The wall is in what a handler is given,
 * not around its call: so it also holds while a file is read after the answer, and no call pays for it.
 */
export function behindWalls(deps: Deps): (organisationId?: string) => Deps {
  if (!deps.database.isWalled) return () => deps
  const walled = new Map<string, Deps>()
  return (organisationId) => {
    if (organisationId === undefined) return deps
    const known = walled.get(organisationId)
    if (known) return known
    if (walled.size >= AT_MOST) walled.clear()
    const made = { ...deps, database: deps.database.forTenant(organisationId) }
    walled.set(organisationId, made)
    return made
  }
}
