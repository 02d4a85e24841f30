import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Elements } from '../../ui/Elements.ts'
import { Icon, type Drawing } from '../../ui/Icon.tsx'
import { Mark } from '../../ui/Mark.tsx'

interface FrameHeaderProps {
  /** The page that the portal's name links to. */
  to: '/' | '/dashboard'
  className?: string
  /** The classes of the link. */
  logoClass?: string
  /** The classes of the name beside the logo. */
  nameClass?: string
  /** Shown before the name. */
  start?: Elements
  children?: Elements
}

/** The header of a layout, with the portal's name. */
export const FrameHeader = ({
  to,
  className = '',
  logoClass = 'mr-auto',
  nameClass,
  start,
  children,
}: FrameHeaderProps) => (
  <header
    className={`flex items-center gap-2 border-b border-border bg-surface pr-[max(1rem,env(safe-area-inset-right))] pl-[max(1rem,env(safe-area-inset-left))] ${className}`}
  >
    {start}
    <Link
      to={to}
      className={`flex min-h-control min-w-control flex-none items-center gap-2 font-strong whitespace-nowrap text-text no-underline ${logoClass}`}
    >
      <Mark />
      <span translate="no">
        <span>HRP</span>
        <span className={nameClass}> Merchant Portal</span>
      </span>
    </Link>
    {children}
  </header>
)

interface HeaderStatusProps {
  icon: Drawing
  className?: string
  /** Hidden on a phone, which has no room for the status. */
  wideOnly?: boolean
  children: ReactNode
}

/** A status in the header, in one word. */
export const HeaderStatus = ({
  icon,
  className = 'px-2 text-muted',
  wideOnly = false,
  children,
}: HeaderStatusProps) => (
  <span
    className={`flex items-center gap-2 whitespace-nowrap ${wideOnly ? 'phone:hidden' : ''} ${className}`}
    data-status={wideOnly ? undefined : ''}
  >
    <Icon drawing={icon} />
    <span className="contents">{children}</span>
  </span>
)
