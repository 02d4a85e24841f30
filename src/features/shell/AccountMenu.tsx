import { useNavigate } from '@tanstack/react-router'
import { usePermission } from '../../blocks/useMay.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { signOut } from '../../blocks/accounts/signOut.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'

export function AccountMenu() {
  const user = useUser()
  const navigate = useNavigate()
  const mayViewActivity = usePermission('activity', 'view')
  return (
    <Menu
      label="Account menu"
      triggerClass="account"
      trigger={
        <>
          <Icon name="user" />
          <span>
            {user.branch_name ?? user.organisation_name}
            <small>{user.type}</small>
          </span>
          <Icon name="down" small />
        </>
      }
      items={[
        { label: 'Profile', hint: user.login_name, onSelect: () => void navigate({ to: '/profile' }) },
        ...(mayViewActivity ? [{ label: 'Activity', onSelect: () => void navigate({ to: '/activity' }) }] : []),
        { label: 'This device', onSelect: () => void navigate({ to: '/settings/device' }) },
        { label: 'Logout', onSelect: () => void signOut() },
      ]}
    />
  )
}
