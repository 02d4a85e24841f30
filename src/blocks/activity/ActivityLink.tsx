import { Link } from '@tanstack/react-router'
import type { ActivitySubject } from '../../contract/activity/activityActions.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { activityRoute } from '../activityAbout.ts'
import { usePermission } from '../useMay.ts'

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
