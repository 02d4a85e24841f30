import { Link, useLocation } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio/react'
import { usePasswordDue } from '../../blocks/accounts/passwords/usePasswordDue.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { ConnectivityBannerSlot } from '../../blocks/connectivity/ConnectivityState.tsx'
import { StorageNotice } from '../../blocks/devices/StorageNotice.tsx'
import { NoticesProvider } from '../../blocks/notices/NoticeBell.tsx'
import { PlainFrame } from '../../blocks/page/PlainFrame.tsx'
import { profileDetails } from '../../domain/paths.ts'
import { closePasswordPrompt } from '../../state/passwordPrompt.ts'
import { shell, toggleSidebar } from '../../state/shell.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { Page } from '../../ui/PageHeader.tsx'
import { AppHeader } from './AppHeader.tsx'
import { Sidebar } from './Sidebar.tsx'

/** True if the window is wide enough for a sidebar beside the page. */
const isWide = () => matchMedia('(min-width: 64em)').matches

/** The default layout. A wide screen shows the sidebar unless the person has closed it. A phone shows it as a sheet. */
export function AppFrame({ children }: { children: Elements }) {
  const { isSidebarOpen } = useSnapshot(shell)
  const [sheetOpen, setSheetOpen] = useState(false)
  return (
    <NoticesProvider>
      <div
        className="group/frame flex min-h-dvh flex-col peer-data-banner:min-h-0 print:block"
        data-folded={isSidebarOpen ? undefined : ''}
      >
        <AppHeader onMenu={() => (isWide() ? toggleSidebar() : setSheetOpen(true))} />
        <ConnectivityBannerSlot
          stays
          offlineNote="You can read pages you have opened before. Downloads start, and changes can be saved, once you are online."
        />
        <div className="grid flex-1 grid-cols-1 print:block desk:group-not-data-folded/frame:grid-cols-[var(--sidebar)_minmax(0,1fr)]">
          {isSidebarOpen && <Sidebar onHide={toggleSidebar} />}
          <main id="main" tabIndex={-1} className="pb-(--overlaid) in-[.has-foot-bar]:pb-0 print:pb-0">
            <Page>
              <StorageNotice className="mb-6 print:hidden" />
              <PasswordAgeNotice />
              {children}
            </Page>
          </main>
        </div>
        <Sheet open={sheetOpen} onClose={() => setSheetOpen(false)} title="Menu">
          <Link
            to="/dashboard"
            className={`${buttonClass({ variant: 'text' })} mx-2`}
            onClick={() => setSheetOpen(false)}
          >
            <Icon drawing={ICONS.home} />
            Dashboard
          </Link>
          <Sidebar onNavigate={() => setSheetOpen(false)} />
        </Sheet>
      </div>
    </NoticesProvider>
  )
}

/** Suggests changing a password that is older than a year. Once closed, the notice stays closed until the next login (rule 3.6). */
function PasswordAgeNotice() {
  const isDue = usePasswordDue()
  const details = profileDetails(useUser())
  const isOnProfile = useLocation({ select: ({ pathname }) => pathname === '/profile' })
  if (!isDue) return null
  const close = () => {
    closePasswordPrompt()
    document.getElementById('main')?.focus()
  }
  return (
    <Notice
      tone="warn"
      icon={ICONS.lock}
      className="print:hidden"
      role="status"
      action={
        // The margin aligns the icon with the first line of text, for any size of the touch target.
        <Button
          variant="icon"
          className="my-[calc((1.25rem-var(--control))/2)] -mr-2"
          aria-label="Close"
          onClick={close}
        >
          <Icon drawing={ICONS.x} small />
        </Button>
      }
    >
      <p>
        <span>Your password is more than one year old. </span>
        {!isOnProfile && <Link {...details}>Change now</Link>}
      </p>
    </Notice>
  )
}

/** The layout of a cashier's pages other than the counter, with a link back to the counter. */
export function TillFrame({ children }: { children: ReactNode }) {
  return (
    <PlainFrame
      offlineNote="This page works without one."
      end={
        <Link to="/redeem" className={buttonClass({ variant: 'quiet' })}>
          <Icon drawing={ICONS.left} />
          Counter
        </Link>
      }
    >
      <Page>{children}</Page>
    </PlainFrame>
  )
}
