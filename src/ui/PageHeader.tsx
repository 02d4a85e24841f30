import type { ReactNode } from 'react'

const WIDTHS = {
  full: 'max-w-page',
  form: 'max-w-form',
  /** A long form beside its rail. */
  rail: 'max-w-[60rem]',
  /** What was submitted, and beside it what decides. */
  desk: 'max-w-[64rem]',
} as const

/** A page in its layout: as wide as its kind, and what it has to say above it. */
export const Page = ({ width = 'full', children }: { width?: keyof typeof WIDTHS; children: ReactNode }) => (
  <div className="main print:p-0">
    <div className={`mx-auto *:data-notice:mb-6 ${WIDTHS[width]}`}>{children}</div>
  </div>
)

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
    <div className="page-head" data-page-head>
      <div>
        {back}
        <div className="title">
          <h1 tabIndex={-1}>{title}</h1>
          {badge}
        </div>
        {note && <p>{note}</p>}
      </div>
      {actions && <div className="actions print:hidden">{actions}</div>}
    </div>
  )
}
