import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { User } from '../../contract/accounts/user.ts'
import { Branch, branches } from '../../contract/branches.ts'
import { masters } from '../../contract/masters.ts'
import { readOnboarding } from '../../contract/merchants/onboarding.ts'
import { readProfile } from '../../contract/profile.ts'
import { branchOptions } from '../../contract/reports/reportFilters.ts'
import { isMainAccount } from '../../domain/accounts/permissions.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { firstBranch, NewBranchFacts } from './branchFields.ts'

/** Reads one branch from the server, or from the copy on this device. */
export function useBranch(id: string) {
  const { guid } = useUser()
  return useCachedRead(guid, `branch/${id}`, Branch, (signal) => call(branches.get, { params: { id }, signal }))
}

/** Reads what is known of a new branch. Undefined while it loads; nothing is known if this device never had the answer. */
export function useNewBranchFacts(): NewBranchFacts | undefined {
  const user = useUser()
  const offline = useOffline()
  const { data, phase } = useCachedRead(user.guid, 'branch/new', NewBranchFacts, (signal) => askFacts(user, signal))
  const isLoading = phase === 'loading' || phase === 'refreshing'
  return isLoading && !offline ? undefined : (data ?? NOTHING_KNOWN)
}

const NOTHING_KNOWN: NewBranchFacts = { needs_pin: false, first: null }

async function askFacts({ guid, type, organisation_guid }: User, signal: AbortSignal): Promise<NewBranchFacts> {
  const [profile, { length }] = await Promise.all([
    call(readProfile, { params: { id: guid }, signal }),
    call(branchOptions, { signal }),
  ])
  const needs_pin = profile.verification_method === 'Serial and branch PIN'
  if (length > 0 || !isMainAccount(type)) return { needs_pin, first: null }
  const { onboarding } = await call(readOnboarding, { params: { id: organisation_guid }, signal })
  return { needs_pin, first: firstBranch(profile, onboarding) }
}

/** True once a master is known whom this person may see. Until then, no screen says who manages a branch. */
export function useHasMasters(): boolean {
  const { data = [] } = useMasters()
  return data.length > 0
}

/** Reads the organisation's masters, stored for offline use. Empty for a person who may not see them. */
export function useMasters() {
  const { guid } = useUser()
  const seesMasters = usePermission('masters', 'view')
  return useCachedRead(guid, 'masters', masters.list.answer, () =>
    seesMasters ? call(masters.list) : Promise.resolve([]),
  )
}
