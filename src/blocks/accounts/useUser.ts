import { createContext, use } from 'react'
import { useSnapshot } from 'valtio/react'
import type { Action, Feature } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { may } from '../../domain/accounts/permissions.ts'
import { auth } from '../../state/auth.ts'

/**
 * Whom the whole page is drawn for. One value for the guard and all behind it: read from the store by each screen, a session that
 * ends while React draws would be known to a screen before its guard.
 */
export const UserContext = createContext<User | null>(null)

/** The logged-in person, for screens behind the guard. Throws outside it: a guarded screen without a person is a bug. */
export function useUser(): User {
  const user = use(UserContext)
  if (!user) throw new Error('A screen behind the guard was shown to nobody')
  return user
}

/** Whether the logged-in person may do it: what is not allowed is absent, not grey. The server decides again. */
export function usePermission(feature: Feature, action: Action): boolean {
  const { permissions } = useSnapshot(auth)
  return may(useUser(), { feature, action }, permissions)
}
