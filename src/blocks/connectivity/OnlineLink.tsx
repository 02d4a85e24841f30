import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Icon, type Drawing } from '../../ui/Icon.tsx'
import { useOffline } from './useOffline.ts'

interface Props extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  icon?: Drawing
  variant?: 'plain' | 'primary'
  children: string
}

interface NeedsConnectionProps {
  className?: string
  /** The reason why the action is refused even with a connection. */
  otherReason?: ReactNode
}

/** Says beside an action why it is refused offline (rule 14.6). It is text, because a touch screen shows no tooltips. */
export function NeedsConnection({ className = 'self-center', otherReason }: NeedsConnectionProps) {
  const reason = useOffline() ? 'Needs a connection.' : otherReason
  return reason && <span className={`text-muted ${className}`}>{reason}</span>
}

/** A link that looks like a button and needs the server. Offline it stays in place, is disabled, and says why (rule 14.6). */
export function OnlineLink({ icon, variant, children, ...place }: Props) {
  const offline = useOffline()
  if (offline) {
    return (
      <>
        <NeedsConnection />
        <Button icon={icon} variant={variant} aria-disabled>
          {children}
        </Button>
      </>
    )
  }
  return (
    <Link {...place} className={buttonClass({ variant })}>
      {icon && <Icon drawing={icon} />}
      <span>{children}</span>
    </Link>
  )
}
