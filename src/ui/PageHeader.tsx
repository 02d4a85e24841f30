import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: ReactNode
  badge?: ReactNode
  /** One muted line. */
  note?: ReactNode
  /** A link of class `crumb`, only below a list. */
  back?: ReactNode
  actions?: ReactNode
}

/** Where I am, what it is, what I can do. The title takes the focus after a change of route. */
export function PageHeader({ title, badge, note, back, actions }: PageHeaderProps) {
  return (
    <div className="page-head">
      <div>
        {back}
        <div className="title">
          <h1 tabIndex={-1}>{title}</h1>
          {badge}
        </div>
        {note && <p>{note}</p>}
      </div>
      {actions && <div className="actions">{actions}</div>}
    </div>
  )
}
