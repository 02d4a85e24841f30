import { Link } from '@tanstack/react-router'
import { ReadinessPill } from '../../blocks/devices/ReadinessPill.tsx'
import { LineState } from '../../blocks/connectivity/ConnectivityState.tsx'
import { NoticeBell } from '../../blocks/notices/NoticeBell.tsx'
import { Logo } from '../../blocks/page/Logo.tsx'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { FindButton } from './FindButton.tsx'
import { useOpenDownloads } from './useOpenDownloads.ts'

/** The menu button is there only where the sidebar is not. */
export function AppHeader({ onMenu }: { onMenu: () => void }) {
  const user = useUser()
  return (
    <header className="top">
      <button
        type="button"
        className={`${buttonClass({ variant: 'icon' })} menu-btn`}
        aria-label="Menu"
        onClick={onMenu}
      >
        <Icon name="menu" />
      </button>
      <Link to="/dashboard" className="logo">
        <Logo />
      </Link>
      <FindButton />
      <ReadinessPill user={user} />
      <LineState />
      <DownloadsLink />
      <NoticeBell user={user} />
      <AccountMenu />
    </header>
  )
}

function DownloadsLink() {
  const open = useOpenDownloads()
  return (
    <Link to="/downloads" className={buttonClass({ variant: 'text' })} aria-label={labelOf(open)}>
      <Icon name="download" />
      <span className="phone:hidden">Downloads</span>
      {open > 0 && <span className="count">{open}</span>}
    </Link>
  )
}

const labelOf = (open: number) => (open > 0 ? `Downloads, ${open} open` : 'Downloads')
