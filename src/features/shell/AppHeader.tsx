import { Link, useNavigate } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { logOut } from '../../blocks/accounts/logOut.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { ConnectivityState } from '../../blocks/connectivity/ConnectivityState.tsx'
import { ReadinessPill } from '../../blocks/devices/Readiness.tsx'
import { NoticeBell } from '../../blocks/notices/NoticeBell.tsx'
import { FrameHeader } from '../../blocks/page/FrameHeader.tsx'
import { STAYS } from '../../blocks/page/PlainFrame.tsx'
import { isUnsavedDownload, readOutbox } from '../../offline/outbox/outbox.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { openPalette } from '../../state/palette.ts'
import { chooseTheme, theme, THEMES } from '../../state/theme.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Count, ICONS } from '../../ui/icons.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'

/** The classes of a control that is a square icon on narrow screens. */
const SQUARE = 'narrow:w-[2.75rem] narrow:flex-none narrow:p-0'

/** The header of every page. Its menu button appears only while no sidebar is shown. */
export function AppHeader({ onMenu }: { onMenu: () => void }) {
  const user = useUser()
  return (
    <FrameHeader
      to="/dashboard"
      // A phone shows eight controls, each 44 px wide, so there is no room for gaps.
      className={`${STAYS} phone:gap-0 phone:pr-[max(0.25rem,env(safe-area-inset-right))] phone:pl-[max(0.5rem,env(safe-area-inset-left))]`}
      // On the smallest phones, the menu replaces this link.
      logoClass="mr-4 phone:mr-0 tiny:hidden"
      // The portal's name is hidden first, because the name and the type of the account say more.
      nameClass="max-[51.25em]:hidden min-[56.3125em]:max-[68.8125em]:hidden"
      start={
        <>
          <a
            className="fixed top-2 left-2 z-40 rounded-1 bg-surface-raised px-4 py-2 [box-shadow:var(--shadow-1)] [translate:0_-200%] focus:[translate:none] print:hidden"
            href="#main"
          >
            Skip to content
          </a>
          <button
            type="button"
            className={`${buttonClass({ variant: 'icon' })} ${SQUARE} -ml-2 desk:group-not-data-folded/frame:hidden`}
            aria-label="Menu"
            onClick={onMenu}
          >
            <Icon drawing={ICONS.menu} />
          </button>
        </>
      }
    >
      <Link
        to="/dashboard"
        className={`${buttonClass({ variant: 'text' })} ${SQUARE} phone:hidden`}
        aria-label="Dashboard"
      >
        <Icon drawing={ICONS.home} />
        <span className="narrow:hidden">Dashboard</span>
      </Link>
      <PaletteButton />
      <ReadinessPill user={user} />
      <ConnectivityState className="px-2 phone:px-0" />
      <DownloadsLink />
      <NoticeBell className={SQUARE} />
      <AccountMenu />
    </FrameHeader>
  )
}

function DownloadsLink() {
  const openCount = useOpenDownloadCount()
  return (
    <Link
      to="/downloads"
      className={`${buttonClass({ variant: 'text' })} ${SQUARE} relative`}
      aria-label={downloadsLabel(openCount)}
    >
      <Icon drawing={ICONS.download} />
      <span className="narrow:hidden">Downloads</span>
      {openCount > 0 && <Count at="word">{openCount}</Count>}
    </Link>
  )
}

const downloadsLabel = (open: number) => (open > 0 ? `Downloads, ${open} open` : 'Downloads')

function AccountMenu() {
  const user = useUser()
  const navigate = useNavigate()
  const mayViewActivity = usePermission('activity', 'view')
  const mayViewTills = usePermission('pos', 'view')
  const { chosen } = useSnapshot(theme)
  return (
    <Menu
      label="Account menu"
      // The shown text is a part of the button's name, for people who use voice control.
      namedByTrigger
      triggerClass={`flex min-h-control min-w-0 items-center gap-2 rounded-1 px-2 text-left hover:bg-surface-hover narrow:justify-center ${SQUARE}`}
      trigger={
        <>
          <Icon drawing={ICONS.user} />
          {/* The name of an organisation can be long. The profile shows it in full. */}
          <span className="max-w-[14rem] truncate leading-4 narrow:hidden">
            <span translate="no">{user.branch_name ?? user.organisation_name}</span>
            <small className="block truncate text-xs text-muted">{user.type}</small>
          </span>
          <span className="sr-only">Account menu</span>
          <Icon drawing={ICONS.down} small className="narrow:hidden" />
        </>
      }
      items={[
        { label: 'Profile', hint: user.login_name, onSelect: () => void navigate({ to: '/profile' }) },
        ...(mayViewActivity ? [{ label: 'Activity', onSelect: () => void navigate({ to: '/activity' }) }] : []),
        ...(mayViewTills ? [{ label: 'Tills', onSelect: () => void navigate({ to: '/devices' }) }] : []),
        { label: 'This device', onSelect: () => void navigate({ to: '/settings/device' }) },
        { label: 'Help', onSelect: () => void navigate({ to: '/help' }) },
        ...THEMES.map(({ value, label }) => ({
          group: 'Theme',
          label,
          chosen: value === chosen,
          onSelect: () => chooseTheme(value),
        })),
        { label: 'Logout', onSelect: () => void logOut() },
      ]}
    />
  )
}

const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)

/** Opens the palette. A wide screen shows the shortcut too, a phone only the icon. */
function PaletteButton() {
  return (
    <button
      type="button"
      className="mr-auto flex min-h-control items-center gap-2 rounded-1 border border-border-control bg-surface pr-2 pl-3 whitespace-nowrap text-muted hover:bg-surface-hover narrow:w-[2.75rem] narrow:flex-none narrow:justify-center narrow:border-transparent narrow:p-0 narrow:text-text"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={openPalette}
    >
      <Icon drawing={ICONS.search} />
      <span className="narrow:sr-only">Search</span>
      <span className="sr-only"> or run a command</span>
      <kbd className="max-[68.8125em]:hidden" aria-hidden="true">
        {isMac ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  )
}

/** Returns the number of downloads that wait for the connection, or for the person to save them. */
function useOpenDownloadCount(): number {
  const { guid } = useUser()
  const openCount = useLiveQuery(
    async () => (await readOutbox(userStore(guid))).filter(isUnsavedDownload).length,
    `open-downloads/${guid}`,
  )
  return openCount ?? 0
}
