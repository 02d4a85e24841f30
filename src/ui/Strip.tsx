import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** A fact about everything below it, at the top of a table or panel. */
export function Strip({
  icon = 'offline',
  action,
  children,
}: {
  icon?: IconName
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="strip" role="status">
      <Icon name={icon} />
      <span>{children}</span>
      {action}
    </div>
  )
}
