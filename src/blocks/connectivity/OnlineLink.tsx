import { Link, type LinkProps } from '@tanstack/react-router'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Icon, type Drawing } from '../../ui/Icon.tsx'
import { useOffline } from './useOffline.ts'

interface Props extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  icon?: Drawing
  variant?: 'plain' | 'primary'
  children: string
}

/** Beside what is refused offline (rule 14.6). In words: a touch screen shows no title. */
export const NeedsConnection = ({ className = 'self-center' }: { className?: string }) =>
  useOffline() && <span className={`text-muted ${className}`}>Needs a connection.</span>

/** A link, as a button, to what needs the server: offline it stays, leads nowhere, and says why (rule 14.6). */
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
      {children}
    </Link>
  )
}
