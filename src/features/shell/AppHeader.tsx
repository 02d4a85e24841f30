import { Link, useNavigate } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { signOut } from '../../blocks/accounts/signOut.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { ConnectivityState } from '../../blocks/connectivity/ConnectivityState.tsx'
import { ReadinessPill } from '../../blocks/devices/ReadinessPill.tsx'
import { NoticeBell } from '../../blocks/notices/NoticeBell.tsx'
import { Logo } from '../../blocks/page/Logo.tsx'
import { keyLabels } from '../../blocks/shortcuts/shortcuts.ts'
import { isOpenDownload, readOutbox } from '../../offline/outbox/outbox.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { openPalette } from '../../state/palette.ts'
import { chooseTheme, theme, THEMES } from '../../state/theme.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'

/** The menu button shows only where the sidebar does not. */
export function AppHeader({ onMenu }: { onMenu: () => void }) {
  const user = useUser()
  return (
    <header className="top print:hidden">
      <button
        type="button"
        className={`${buttonClass({ variant: 'icon' })} -ml-2 desk:group-not-data-folded/frame:hidden`}
        aria-label="Menu"
        onClick={onMenu}
      >
        <Icon name="menu" />
      </button>
      {/* What comes and goes at the right does not move what is beside the logo. */}
      <Link to="/dashboard" className="logo mr-4 phone:mr-0">
        <Logo />
      </Link>
      <Link to="/dashboard" className={`${buttonClass({ variant: 'text' })} phone:hidden`} aria-label="Dashboard">
        <Icon name="home" />
        <span>Dashboard</span>
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
      <span>Downloads</span>
      {open > 0 && <span className="count">{open}</span>}
    </Link>
  )
}

const downloadsLabel = (open: number) => (open > 0 ? `Downloads, ${open} open` : 'Downloads')

function AccountMenu() {
  const user = useUser()
  const navigate = useNavigate()
  const mayViewActivity = usePermission('activity', 'view')
  const { chosen } = useSnapshot(theme)
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
        { label: 'Help', onSelect: () => void navigate({ to: '/help' }) },
        ...THEMES.map(({ value, label }) => ({
          group: 'Theme',
          label,
          chosen: value === chosen,
          onSelect: () => chooseTheme(value),
        })),
        { label: 'Logout', onSelect: () => void signOut() },
      ]}
    />
  )
}

/** Opens the palette. Shows its shortcut where there is a keyboard and room; on a phone only the icon. */
function PaletteButton() {
  return (
    <button
      type="button"
      className="mr-auto flex min-h-control items-center gap-2 rounded-1 border border-border-control bg-surface pr-2 pl-3 whitespace-nowrap text-muted hover:bg-surface-hover narrow:w-[2.75rem] narrow:flex-none narrow:justify-center narrow:border-transparent narrow:p-0 narrow:text-text"
      aria-label="Search or run a command"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={openPalette}
    >
      <Icon name="search" />
      <span className="narrow:hidden">Search</span>
      <kbd className="max-[1101px]:hidden">{keyLabels('Mod+k').join(' ')}</kbd>
    </button>
  )
}

/** How many downloads still wait, for the connection or for the person to save them. */
function useOpenDownloadCount(): number {
  const { guid } = useUser()
  const rows = useLiveQuery(
    async () => (await readOutbox(userStore(guid))).filter(isOpenDownload).length,
    `open-downloads/${guid}`,
  )
  return rows ?? 0
}
