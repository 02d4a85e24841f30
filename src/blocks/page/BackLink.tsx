import { Link, type LinkProps } from '@tanstack/react-router'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'

/** Links back to the list, above the title of the opened record. */
export function BackLink({ children, ...link }: LinkProps & { children: string }) {
  return (
    // On a touch screen the link is tall enough for a finger. The negative margins keep the content below in place.
    <Link
      {...link}
      className="mt-[calc(0.75rem-var(--control)/2)] mb-[calc(1.125rem-var(--control)/2)] inline-flex min-h-control items-center gap-1 py-2 pr-2 text-muted no-underline print:hidden hover:text-text hover:underline hover:decoration-auto"
    >
      <Icon drawing={ICONS.left} small />
      <span>{children}</span>
    </Link>
  )
}
