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

export function Sidebar({ onNavigate }: NavigationProps) {
  const { type } = useUser()
  return (
    <ul>
      {sidebarOf(type).map((item) => (
        <li key={item.feature}>
          {item.children ? <SidebarGroup {...{ item, onNavigate }} /> : <SidebarLink {...{ item, onNavigate }} />}
        </li>
      ))}
    </ul>
  )
}

function SidebarLink({ item, onNavigate }: NavigationProps & { item: SidebarItem }) {
  return (
    <Link to={item.path} activeProps={{ 'aria-current': 'page' }} onClick={onNavigate}>
      <Icon name={ICONS[item.feature] ?? 'list'} />
      {item.label}
    </Link>
  )
}

/** Opens and closes. Its heading is not a link. */
function SidebarGroup({ item, onNavigate }: NavigationProps & { item: SidebarItem }) {
  return (
    <details open>
      <summary>
        <Icon name={ICONS[item.feature] ?? 'list'} />
        {item.label}
        <Icon name="down" small />
      </summary>
      <ul>
        {item.children?.map(({ label, path }) => (
          <li key={path}>
            <Link to={path} activeProps={{ 'aria-current': 'page' }} onClick={onNavigate}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}
