import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'

/** The spec's empty layout: the name of the portal and the page, nothing else. `standing` puts the page in the middle. */
export function PlainFrame({ standing = false, children }: { standing?: boolean; children: ReactNode }) {
  return (
    <div className="plain">
      <header className="top">
        <Link to="/" className="logo">
          <Logo />
        </Link>
      </header>
      <main id="main" tabIndex={-1} className={standing ? 'standing' : undefined}>
        {children}
      </main>
    </div>
  )
}
