import type { ReactNode } from 'react'
import { Actions } from './Button.tsx'
import type { Elements } from './Elements.ts'

const WIDTHS = {
  full: 'max-w-page',
  form: 'max-w-form',
  text: 'max-w-[44rem]',
  /** A long form beside its rail. */
  rail: 'max-w-[60rem]',
  /** A submission, with the decision beside it. */
  desk: 'max-w-[64rem]',
} as const

/** The frame of a page: its width, and its distance to the edges of the window. */
export const Page = ({ width = 'full', children }: { width?: keyof typeof WIDTHS; children: ReactNode }) => (
  <div className="pt-6 print:p-0 pr-[max(var(--side),env(safe-area-inset-right))] pb-12 in-[.has-foot-bar]:pb-0! pl-[max(var(--side),env(safe-area-inset-left))] [--side:2rem] phone:pt-5 phone:pb-10 phone:[--side:1rem]">
    <div className={`mx-auto *:data-notice:mb-6 ${WIDTHS[width]}`}>{children}</div>
  </div>
)

interface PageHeaderProps {
  title: ReactNode
  badge?: Elements
  /** A muted line below the title. */
  note?: ReactNode
  /** A link back to the list that the page belongs to. */
  back?: Elements
  actions?: ReactNode
}

/** The header of a page: link back, title and actions. The title gets the focus after a change of route. */
export function PageHeader({ title, badge, note, back, actions }: PageHeaderProps) {
  return (
    <div className="mb-6 flex flex-wrap items-end gap-x-4 gap-y-3 phone:mb-4" data-page-head>
      <div className="min-w-0 flex-[1_1_20rem]">
        {back}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="wrap-anywhere" tabIndex={-1}>
            {title}
          </h1>
          {badge}
        </div>
        {note && <p className="mt-1 max-w-[44rem] text-muted">{note}</p>}
      </div>
      {actions && (
        <Actions className="print:hidden phone:w-full phone:*:not-[span,div,[aria-haspopup]]:flex-1">{actions}</Actions>
      )}
    </div>
  )
}
