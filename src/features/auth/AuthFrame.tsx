import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ConnectivityBannerSlot } from '../../blocks/LinePlace.tsx'
import { ConnectivityState } from '../../blocks/connectivity/ConnectivityState.tsx'
import { Logo } from '../../blocks/page/Logo.tsx'

/** The spec's auth layout: one card, with what concerns it above. */
export function AuthFrame({ notice, wide, children }: { notice?: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <div className="auth">
      <header className="top">
        <Link to="/" className="logo">
          <Logo />
        </Link>
        <ConnectivityState />
      </header>
      <ConnectivityBannerSlot works="Logging in needs a connection." />
      <main id="main" tabIndex={-1}>
        {notice}
        <div className={wide ? 'card wide' : 'card'}>{children}</div>
      </main>
      <footer>
        <Link to="/terms-and-conditions">Terms and conditions</Link>
        <Link to="/terms-of-use">Terms of use</Link>
        <Link to="/voucher-management-guidelines">Voucher management guidelines</Link>
      </footer>
    </div>
  )
}
