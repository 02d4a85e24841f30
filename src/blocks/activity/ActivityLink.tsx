import { Link, useNavigate } from '@tanstack/react-router'
import type { User } from '../../contract/accounts/user.ts'
import type { ActivitySubject } from '../../domain/activityLabels.ts'
import { buttonClass } from '../../ui/Button.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { usePermission } from '../accounts/useUser.ts'

/** To what was done to a record. */
export function ActivityLink({ type, guid }: { type: ActivitySubject; guid: string }) {
  const mayView = usePermission('activity', 'view')
  if (!mayView) return null
  return (
    <Link {...activityRoute(type, guid)} className={buttonClass()}>
      Activity
    </Link>
  )
}

/** Where the log shows what was done to one record alone. */
export const activityRoute = (type: string, guid: string) =>
  ({ to: '/activity', search: { filter: { subject: `${type}:${guid}` } } }) as const

/** What the profile of this person stands for in the log: a main account speaks for its organisation. */
export function ownSubject({ type, guid, organisation_guid, branch_guid }: User): [ActivitySubject, string] {
  if (type === 'Additional Merchant') return ['master', guid]
  return branch_guid === null ? ['organisation', organisation_guid] : ['branch', branch_guid]
}

/** Menu item of a record that leads to its log. It works offline, on cached pages. None for who may not view the log. */
export function useActivityMenuItem(type: ActivitySubject): (guid: string) => MenuItem[] {
  const navigate = useNavigate()
  const mayView = usePermission('activity', 'view')
  return (guid) => (mayView ? [{ label: 'Activity', onSelect: () => void navigate(activityRoute(type, guid)) }] : [])
}
