import type { Elements } from './Elements.ts'
import { FIRST_ICONS, Icon, type Drawing } from './Icon.tsx'

interface NoticeProps {
  tone?: 'info' | 'success' | 'warn' | 'danger'
  icon?: Drawing
  title?: string
  /** True if a script moves the focus to the title. */
  takesFocus?: boolean
  /** `alert`: the notice appears by itself and matters now. */
  role?: 'status' | 'alert'
  /** A button at the right. */
  action?: Elements
  className?: string
  children?: Elements
}

const BOXES = {
  info: 'border-info-border bg-info-surface',
  success: 'border-info-border bg-info-surface',
  warn: 'border-warn-border bg-warn-surface',
  danger: 'border-danger-border bg-danger-surface',
} as const

const ICON_COLOURS = {
  info: 'text-link',
  success: 'text-success-text',
  warn: 'text-warn-text',
  danger: 'text-danger-text',
} as const

export function Notice({
  tone = 'info',
  icon = FIRST_ICONS.alert,
  title,
  takesFocus = false,
  role,
  action,
  className = '',
  children,
}: NoticeProps) {
  return (
    <div
      className={`flex min-h-[2.75rem] items-start gap-3 rounded-2 border px-4 py-3 phone:flex-wrap *:[a,button]:ml-auto ${BOXES[tone]} ${className}`}
      role={role}
      data-notice
    >
      <Icon drawing={icon} className={ICON_COLOURS[tone]} />
      {/* On a phone a button with a word moves below the text. An icon button stays beside it. */}
      <div className="min-w-0 phone:flex-[1_1_calc(100%-5.5rem)]">
        {title && (
          <h2 className="[font-size:inherit] leading-[inherit]" tabIndex={takesFocus ? -1 : undefined}>
            {title}
          </h2>
        )}
        {children}
      </div>
      {action}
    </div>
  )
}
