import { lazy, Suspense, useEffect, useState } from 'react'
import { firstScreen } from '../state/firstScreen.ts'

/** A line that goes before its banner was fetched must not take the page along: the header still has its word. */
const LineBanner = lazy(() =>
  import('./LineBanner.tsx').then(
    (loaded) => ({ default: loaded.LineBanner }),
    () => ({ default: () => null }),
  ),
)

/**
 * Where the banner of the line appears, right under the header of a layout. It is fetched while the line is there, once the
 * first screen stands. `works`: what this page can do without a line, in a sentence.
 */
export function LinePlace({ works }: { works?: string | undefined }) {
  const [rendered, setRendered] = useState(false)
  useEffect(() => void firstScreen.then(() => setRendered(true)), [])
  return (
    <div className="line-place">
      {rendered && (
        <Suspense fallback={null}>
          <LineBanner works={works} />
        </Suspense>
      )}
    </div>
  )
}
