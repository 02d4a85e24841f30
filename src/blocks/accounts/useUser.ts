import { useSnapshot } from 'valtio/react'
import type { User } from '../../contract/accounts/account.ts'
import { auth } from '../../state/auth.ts'

/** The signed-in person, for screens behind the guard. Throws outside it: a guarded screen without a person is a bug. */
export function useUser(): User {
  const { user } = useSnapshot(auth)
  if (!user) throw new Error('A screen behind the guard was shown to nobody')
  return user
}
