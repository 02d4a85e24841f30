import type { ComponentPropsWithoutRef } from 'react'

/* Replaces the router while the first screens are drawn: there is no router yet, so links are plain ones and work before any script does. */

type Search = Record<string, string | undefined>

interface LinkProps extends Omit<ComponentPropsWithoutRef<'a'>, 'href'> {
  to: string
  search?: Search | ((now: Search) => Search)
  [routerOnly: string]: unknown
}

let here = ''

/** Sets the address that is being drawn; links to it are marked as current. */
export function setAddress(address: string): void {
  here = address
}

export function Link({ to, search, className, children, 'aria-label': label }: LinkProps) {
  const wanted = typeof search === 'function' ? search({}) : (search ?? {})
  const given = Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const query = new URLSearchParams(given).toString()
  const href = query ? `${to}?${query}` : to
  return (
    <a href={href} className={className} aria-label={label} aria-current={href === here ? 'page' : undefined}>
      {children}
    </a>
  )
}

export const useNavigate = () => () => undefined

export const useLocation = <T,>({ select }: { select: (location: { pathname: string }) => T }): T =>
  select({ pathname: new URL(here, 'http://drawn').pathname })
