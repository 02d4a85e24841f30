import type { Deps } from '../Deps.ts'

/** Organisations that are kept at one time. Beyond that all are dropped, and made again when they call. */
const AT_MOST = 1_000

/**
 * Gives what `make` makes of `deps`: for an organisation with a database that shows its rows only, else with the portal's own. The
 * wall is in what a handler is given, not around its call: so it also holds while a file is read after the answer, and no call pays
 * for it.
 */
export function behindWalls<T>(deps: Deps, make: (deps: Deps) => T): (organisationId?: string) => T {
  const unwalled = make(deps)
  if (!deps.database.isWalled) return () => unwalled
  const walled = new Map<string, T>()
  return (organisationId) => {
    if (organisationId === undefined) return unwalled
    const known = walled.get(organisationId)
    if (known) return known
    if (walled.size >= AT_MOST) walled.clear()
    const made = make({ ...deps, database: deps.database.forTenant(organisationId) })
    walled.set(organisationId, made)
    return made
  }
}
