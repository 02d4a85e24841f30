import { useSnapshot } from 'valtio/react'
import type { Action, Feature } from '../contract/accounts/permissions.ts'
import { may } from '../domain/accounts/permissions.ts'
import { auth } from '../state/auth.ts'
import { useUser } from './accounts/useUser.ts'

/** Whether the signed-in person may do it: what is not allowed is absent, not grey. The server decides again. */
export function usePermission(feature: Feature, action: Action): boolean {
  const { permissions } = useSnapshot(auth)
  return may(useUser(), { feature, action }, permissions)
}
