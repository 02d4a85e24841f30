import { createContext, use } from 'react'
import { useSnapshot } from 'valtio/react'
import type { Action, Feature } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { may } from '../../domain/accounts/permissions.ts'
import { auth } from '../../state/auth.ts'

/**
 * The user that the whole page is drawn for. The guard and all screens share one value: if each screen read the store, a screen could learn of a
 * session's end before its guard.
 */
export const UserContext = createContext<User | null>(null)

/** Returns the logged-in person, for screens behind the guard. Throws outside of it: a guarded screen without a person is a bug. */
export function useUser(): User {
  const user = use(UserContext)
  if (!user) throw new Error('A screen behind the guard was shown to nobody')
  return user
}

/** True if the logged-in person may do the action. Screens hide other actions instead of disabling them. The server checks again. */
export function usePermission(feature: Feature, action: Action): boolean {
  const { permissions } = useSnapshot(auth)
  return may(useUser(), { feature, action }, permissions)
}
