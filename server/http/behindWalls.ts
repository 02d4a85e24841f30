import type { Deps } from '../Deps.ts'

/** Organisations at work at one time; those that are asked for again are made anew. */
const AT_MOST = 1_000

/**
 * What `make` makes of the server's parts, and what it makes of them behind the wall of one organisation. The wall is in what a
 * handler is given, not around its call: so it also stands while a file is read after the answer, and costs no call anything.
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
