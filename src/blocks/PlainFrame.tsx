import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'

interface PlainFrameProps {
  /** Puts the page in the middle. */
  standing?: boolean
  /** In the header, at the right. */
  end?: ReactNode
  children: ReactNode
}

/** The spec's empty layout: the name of the portal, the page, and no way to anywhere else. */
export function PlainFrame({ standing = false, end, children }: PlainFrameProps) {
  return (
    <div className="plain">
      <header className="top">
        <Link to="/" className="logo">
          <Logo />
        </Link>
        {end}
      </header>
      <main id="main" tabIndex={-1} className={standing ? 'standing' : undefined}>
        {children}
      </main>
    </div>
  )
}
