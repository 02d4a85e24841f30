import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { firstScreen } from '../state/firstScreen.ts'
import { lazyWithRetry } from './lazy/lazyWithRetry.tsx'

/**
 * A part that stands over every screen or beside it: fetched once the first screen stands, and shown when the line has brought
 * it. The screen, and what is typed there, never wait or go for it.
 */
export function lazyAfterFirstPaint<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Part = lazyWithRetry(load)
  return function Beside(props: Props) {
    const [rendered, setRendered] = useState(false)
    useEffect(() => void firstScreen.then(() => setRendered(true)), [])
    return rendered ? (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    ) : null
  }
}
