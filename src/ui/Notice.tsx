import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

interface NoticeProps {
  tone?: 'info' | 'success' | 'warn' | 'danger'
  icon?: IconName
  title?: string
  /** `alert` when it comes up by itself and matters now. */
  role?: 'status' | 'alert'
  /** A button at the right. */
  action?: ReactNode
  children?: ReactNode
}

export function Notice({ tone = 'info', icon = 'alert', title, role, action, children }: NoticeProps) {
  return (
    <div className={tone === 'info' ? 'notice' : `notice ${tone}`} role={role} data-notice>
      <Icon name={icon} />
      <div>
        {title && <h2>{title}</h2>}
        {children}
      </div>
      {action}
    </div>
  )
}
