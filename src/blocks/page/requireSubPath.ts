import { redirect } from '@tanstack/react-router'
import { subPath, type SubPath } from '../../domain/paths.ts'

/** Reads the path below a feature. Any path that rule 16.4 does not name leads to /404. */
export function requireSubPath(...path: Parameters<typeof subPath>): SubPath {
  const asked = subPath(...path)
  if (!asked) throw redirect({ to: '/404', replace: true })
  return asked
}
