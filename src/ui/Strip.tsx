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
    // Its gutter is the one of what it stands in.
    <div className="strip px-[var(--gutter,1rem)]" role="status">
      <Icon name={icon} />
      <span>{children}</span>
      {action}
    </div>
  )
}
