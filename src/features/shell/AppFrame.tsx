import type { ReactNode } from 'react'
import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { ConnectivityBannerSlot } from '../../blocks/LinePlace.tsx'
import { StorageNotice } from '../../blocks/devices/StorageNotice.tsx'
import { shell, toggleSidebar } from '../../state/shell.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { SkipLink } from '../../ui/SkipLink.tsx'
import { AppHeader } from './AppHeader.tsx'
import { PasswordAgeNotice } from './PasswordPrompt.tsx'
import { Sidebar } from './Sidebar.tsx'

/** Where the design has room for a sidebar beside the page. */
const isWide = () => matchMedia('(min-width: 1024px)').matches

/** The spec's default layout. On wide screens the sidebar is open by default and its choice is remembered; on a phone it is a sheet. */
export function AppFrame({ children }: { children: ReactNode }) {
  const { isSidebarOpen } = useSnapshot(shell)
  const [sheetOpen, setSheetOpen] = useState(false)
  return (
    <div className={isSidebarOpen ? 'frame' : 'frame folded'}>
      <SkipLink />
      <AppHeader onMenu={() => (isWide() ? toggleSidebar() : setSheetOpen(true))} />
      <ConnectivityBannerSlot works="What you opened before stays readable, downloads wait. Changes need a connection." />
      {isSidebarOpen && (
        <nav className="side" aria-label="Main">
          <Sidebar />
          <button type="button" className="fold-away" onClick={toggleSidebar}>
            <Icon name="left" />
            Hide sidebar
          </button>
        </nav>
      )}
      <Sheet open={sheetOpen} onClose={() => setSheetOpen(false)} title="Menu">
        <nav className="side" aria-label="Main">
          <Sidebar onNavigate={() => setSheetOpen(false)} />
        </nav>
      </Sheet>
      <main className="main" id="main" tabIndex={-1}>
        <div className="page">
          <StorageNotice />
          <PasswordAgeNotice />
          {children}
        </div>
      </main>
    </div>
  )
}
