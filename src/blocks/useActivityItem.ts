import { useNavigate } from '@tanstack/react-router'
import type { ActivitySubject } from '../contract/activity/activityActions.ts'
import type { MenuItem } from '../ui/overlay/MenuPopup.tsx'
import { activityRoute } from './activityAbout.ts'
import { usePermission } from './useMay.ts'

/** An item of a record's menu, to what was done to it; it works without a line, on what is kept. None for who may not. */
export function useActivityMenuItem(type: ActivitySubject): (guid: string) => MenuItem[] {
  const navigate = useNavigate()
  const mayView = usePermission('activity', 'view')
  return (guid) => (mayView ? [{ label: 'Activity', onSelect: () => void navigate(activityRoute(type, guid)) }] : [])
}
