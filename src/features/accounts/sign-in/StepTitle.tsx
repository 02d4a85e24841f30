import { useEffect, useRef } from 'react'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'

/** A step's name. It takes the focus: what had it went with the step before, and a screen reader should hear where it is now. */
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
