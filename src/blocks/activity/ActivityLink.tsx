import { Link, useNavigate } from '@tanstack/react-router'
import type { User } from '../../contract/accounts/user.ts'
import type { ActivitySubject } from '../../domain/activityLabels.ts'
import { buttonClass } from '../../ui/Button.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { usePermission } from '../accounts/useUser.ts'

/** Links to the log of a record. */
export function ActivityLink({ type, guid }: { type: ActivitySubject; guid: string }) {
  const mayView = usePermission('activity', 'view')
  if (!mayView) return null
  return (
    <Link {...activityRoute(type, guid)} className={buttonClass()}>
      Activity
    </Link>
  )
}

/** Returns the address of the log of one record. */
export const activityRoute = (type: string, guid: string) =>
  ({ to: '/activity', search: { filter: { subject: `${type}:${guid}` } } }) as const

/** Returns the record whose log shows changes of this person's profile. For a main account that is the organisation. */
export function ownSubject({ type, guid, organisation_guid, branch_guid }: User): [ActivitySubject, string] {
  if (type === 'Additional Merchant') return ['master', guid]
  return branch_guid === null ? ['organisation', organisation_guid] : ['branch', branch_guid]
}

/** Returns the menu item that opens the log of a record, or none if the person may not view the log. Works offline, on cached pages. */
export function useActivityMenuItem(type: ActivitySubject): (guid: string) => MenuItem[] {
  const navigate = useNavigate()
  const mayView = usePermission('activity', 'view')
  return (guid) => (mayView ? [{ label: 'Activity', onSelect: () => void navigate(activityRoute(type, guid)) }] : [])
}
