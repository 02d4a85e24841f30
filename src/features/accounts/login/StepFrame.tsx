import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'

/** The title of a step. It takes the focus, so that a screen reader reads it. */
export function StepTitle({ children }: { children: string }) {
  usePageTitle(children)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [children])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

/** Links back to the login. `onLeave` stops the work of the step. */
export function BackToLogin({ onLeave }: { onLeave?: () => void }) {
  return (
    <p>
      <Link to="/login" search={({ as, redirect }) => ({ as, redirect })} onClick={onLeave}>
        Back to login
      </Link>
    </p>
  )
}
