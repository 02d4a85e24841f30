import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/Icon.tsx'

/** The way back to the list, above the title of what was opened from it. */
export function BackLink({ children, ...link }: LinkProps & { children: ReactNode }) {
  return (
    <Link {...link} className="crumb">
      <Icon name="left" small />
      {children}
    </Link>
  )
}
