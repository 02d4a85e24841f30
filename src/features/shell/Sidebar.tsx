import { Link } from '@tanstack/react-router'
import { useUser } from '../../blocks/accounts/useUser.ts'
import type { Feature } from '../../contract/accounts/permissions.ts'
import { sidebarOf, type SidebarItem } from '../../domain/sidebar.ts'
import { Icon, type IconName } from '../../ui/Icon.tsx'

const ICONS: Partial<Record<Feature, IconName>> = {
  profile: 'user',
  masters: 'masters',
  branches: 'store',
  vouchers: 'ticket',
  reports: 'chart',
  resources: 'book',
}

interface NavigationProps {
  /** On a phone it closes the sheet. */
  onNavigate?: (() => void) | undefined
}

interface SidebarProps extends NavigationProps {
  /** Beside the page, where a window is wide enough. Without it: in a sheet. */
  onHide?: () => void
}

const ITEM =
  'group flex min-h-control w-full cursor-pointer list-none items-center gap-3 rounded-1 no-underline hover:bg-surface-hover'
const LINK =
  'text-text aria-[current=page]:bg-selected aria-[current=page]:font-strong aria-[current=page]:text-selected-text'

export function Sidebar({ onNavigate, onHide }: SidebarProps) {
  const { type } = useUser()
  return (
    <nav
      className={`bg-surface-sunken py-3 pr-3 pl-[max(var(--space-3),env(safe-area-inset-left))] print:hidden ${onHide ? 'hidden border-r border-border desk:block' : ''}`}
      aria-label="Main"
    >
      <ul className="grid gap-0.5">
        {sidebarOf(type).map((item) => (
          <li key={item.feature}>
            {item.children ? <SidebarGroup {...{ item, onNavigate }} /> : <SidebarLink {...{ item, onNavigate }} />}
          </li>
        ))}
      </ul>
      {onHide && (
        <button type="button" className={`${ITEM} mt-3 px-2 text-muted`} onClick={onHide}>
          <Icon name="left" />
          Hide sidebar
        </button>
      )}
    </nav>
  )
}

function SidebarLink({ item, onNavigate }: NavigationProps & { item: SidebarItem }) {
  return (
    <Link
      to={item.path}
      className={`${ITEM} ${LINK} px-2`}
      activeProps={{ 'aria-current': 'page' }}
      onClick={onNavigate}
    >
      <Icon name={ICONS[item.feature] ?? 'list'} className="text-muted group-aria-[current=page]:text-current" />
      {item.label}
    </Link>
  )
}

/** Opens and closes. Its heading is not a link. */
function SidebarGroup({ item, onNavigate }: NavigationProps & { item: SidebarItem }) {
  return (
    <details open>
      <summary className={`${ITEM} px-2 text-text`}>
        <Icon name={ICONS[item.feature] ?? 'list'} className="text-muted" />
        {item.label}
        <Icon name="down" small className="ml-auto text-muted in-[details:not([open])]:-rotate-90" />
      </summary>
      <ul className="mt-0.5 grid gap-0.5">
        {item.children?.map(({ label, path }) => (
          <li key={path}>
            <Link
              to={path}
              className={`${ITEM} ${LINK} pr-2 pl-10`}
              activeProps={{ 'aria-current': 'page' }}
              onClick={onNavigate}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}
