import { Link } from '@tanstack/react-router'
import type { ActivitySubject } from '../../contract/activity/activityActions.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { activityAbout } from '../activityAbout.ts'
import { useMay } from '../useMay.ts'

/** To what was done to a record. */
export function ActivityLink({ type, guid }: { type: ActivitySubject; guid: string }) {
  const mayView = useMay('activity', 'view')
  if (!mayView) return null
  return (
    <Link {...activityAbout(type, guid)} className={buttonClass()}>
      Activity
    </Link>
  )
}
