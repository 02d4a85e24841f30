import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** What is missing, or what went wrong, and one way out. */
export function EmptyState(props: {
  icon: IconName
  title: string
  text?: ReactNode
  actions?: ReactNode
  role?: 'alert'
}) {
  return (
    <div className="empty-state" role={props.role}>
      <Icon name={props.icon} />
      <h2>{props.title}</h2>
      {props.text && <p>{props.text}</p>}
      {props.actions && <div className="actions">{props.actions}</div>}
    </div>
  )
}
