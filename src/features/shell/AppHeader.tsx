import { Link } from '@tanstack/react-router'
import { ReadinessPill } from '../../blocks/devices/ReadinessPill.tsx'
import { ConnectivityState } from '../../blocks/connectivity/ConnectivityState.tsx'
import { NoticeBell } from '../../blocks/notices/NoticeBell.tsx'
import { Logo } from '../../blocks/page/Logo.tsx'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { PaletteButton } from './FindButton.tsx'
import { useOpenDownloadCount } from './useOpenDownloads.ts'

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
      <PaletteButton />
      <ReadinessPill user={user} />
      <ConnectivityState />
      <DownloadsLink />
      <NoticeBell user={user} />
      <AccountMenu />
    </header>
  )
}

function DownloadsLink() {
  const open = useOpenDownloadCount()
  return (
    <Link to="/downloads" className={buttonClass({ variant: 'text' })} aria-label={downloadsLabel(open)}>
      <Icon name="download" />
      <span className="phone:hidden">Downloads</span>
      {open > 0 && <span className="count">{open}</span>}
    </Link>
  )
}

const downloadsLabel = (open: number) => (open > 0 ? `Downloads, ${open} open` : 'Downloads')
