import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ConnectivityBannerSlot } from '../connectivity/ConnectivityState.tsx'
import { StorageNotice } from '../devices/StorageNotice.tsx'
import { Logo } from './Logo.tsx'

interface PlainFrameProps {
  /** Puts the page in the middle. */
  standing?: boolean
  /** In the header, at the right. */
  end?: ReactNode
  /** What the page can do without a connection. */
  offline?: string
  children: ReactNode
}

/** The spec's empty layout: the name of the portal, the page, and no way to anywhere else. */
export function PlainFrame({ standing = false, end, offline, children }: PlainFrameProps) {
  return (
    <div className="plain print:block">
      <header className="top print:hidden">
        <Link to="/" className="logo">
          <Logo />
        </Link>
        {end}
      </header>
      <ConnectivityBannerSlot works={offline} />
      <main id="main" tabIndex={-1} className={standing ? 'standing' : undefined}>
        {!standing && <StorageNotice className="px-4 pt-4" />}
        {children}
      </main>
    </div>
  )
}
