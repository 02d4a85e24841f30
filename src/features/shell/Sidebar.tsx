import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useSnapshot } from 'valtio/react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import type { Feature } from '../../contract/accounts/permissions.ts'
import { moreOf, sidebarOf, type SidebarItem } from '../../domain/sidebar.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { auth } from '../../state/auth.ts'
import { Icon, type Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'

const FEATURE_ICONS: Partial<Record<Feature, Drawing>> = {
  profile: ICONS.user,
  masters: ICONS.masters,
  branches: ICONS.store,
  vouchers: ICONS.ticket,
  reports: ICONS.chart,
  resources: ICONS.book,
  payments: ICONS.money,
  pos: ICONS.tablet,
  activity: ICONS.clock,
}

interface NavigationProps {
  /** Closes the sheet on a phone. */
  onNavigate?: (() => void) | undefined
}

interface SidebarProps extends NavigationProps {
  /** Hides the sidebar beside the page. A sheet has no such button. */
  onHide?: () => void
}

/** Beside a long page it stays in view, and scrolls by itself in a low window. */
const STAYS = 'high:sticky high:max-h-[calc(100dvh-var(--header))] high:overflow-y-auto'
const BELOW = { header: 'high:top-(--header)', banner: 'high:top-[calc(var(--header)+var(--control)+1.0625rem)]' }

const ITEM_CLASS =
  'group flex min-h-control w-full cursor-pointer list-none items-center gap-3 rounded-1 no-underline hover:bg-surface-hover'
const LINK_CLASS =
  'text-text aria-[current=page]:bg-selected aria-[current=page]:font-strong aria-[current=page]:text-selected-text'

export function Sidebar({ onNavigate, onHide }: SidebarProps) {
  const { type } = useUser()
  const { permissions } = useSnapshot(auth)
  // The banner of the connection stays in view too.
  const { verdict } = useSnapshot(connectivity)
  const items = sidebarOf(type, permissions)
  const moreId = useId()
  return (
    <nav
      className={`bg-surface-sunken print:hidden ${onHide ? 'hidden border-r border-border desk:block' : ''}`}
      aria-label="Main"
    >
      <div
        className={`pt-3 pr-3 pb-[calc(var(--space-3)+var(--overlaid,0px))] pl-[max(var(--space-3),env(safe-area-inset-left))] ${onHide ? `${STAYS} ${BELOW[verdict === 'online' ? 'header' : 'banner']}` : ''}`}
      >
        <ul className="grid gap-0.5">
          {items.map((item) => (
            <li key={item.feature}>
              {item.children ? (
                <SidebarGroup item={item} onNavigate={onNavigate} />
              ) : (
                <SidebarLink item={item} onNavigate={onNavigate} />
              )}
            </li>
          ))}
        </ul>
        <h2 id={moreId} className="mt-4 mb-1 px-2 text-sm font-label text-muted">
          More
        </h2>
        <ul className="grid gap-0.5" aria-labelledby={moreId}>
          {moreOf(type, permissions).map((item) => (
            <li key={item.feature}>
              <SidebarLink item={item} onNavigate={onNavigate} />
            </li>
          ))}
        </ul>
        {onHide && (
          <button type="button" className={`${ITEM_CLASS} mt-3 px-2 text-muted`} onClick={onHide}>
            <Icon drawing={ICONS.left} />
            Hide sidebar
          </button>
        )}
      </div>
    </nav>
  )
}

function SidebarLink({ item, onNavigate }: NavigationProps & { item: SidebarItem }) {
  return (
    <Link
      to={item.path}
      className={`${ITEM_CLASS} ${LINK_CLASS} px-2`}
      activeProps={{ 'aria-current': 'page' }}
      onClick={onNavigate}
    >
      <Icon
        drawing={FEATURE_ICONS[item.feature] ?? ICONS.list}
        className="text-muted group-aria-[current=page]:text-current"
      />
      <span>{item.label}</span>
    </Link>
  )
}

/** A group of links that opens and closes. Its heading is not a link. */
function SidebarGroup({ item, onNavigate }: NavigationProps & { item: SidebarItem }) {
  return (
    <details open>
      <summary className={`${ITEM_CLASS} px-2 text-text`}>
        <Icon drawing={FEATURE_ICONS[item.feature] ?? ICONS.list} className="text-muted" />
        <span>{item.label}</span>
        <Icon drawing={ICONS.down} small className="ml-auto text-muted in-[details:not([open])]:-rotate-90" />
      </summary>
      <ul className="mt-0.5 grid gap-0.5">
        {item.children?.map(({ label, path }) => (
          <li key={path}>
            <Link
              to={path}
              className={`${ITEM_CLASS} ${LINK_CLASS} pr-2 pl-10`}
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
