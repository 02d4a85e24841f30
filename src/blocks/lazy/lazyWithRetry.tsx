import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react'
import { after } from '../../domain/within.ts'
import { firstScreen } from '../../state/firstScreen.ts'

/** A component whose chunk is fetched when it is first rendered, and again until it loads: no error replaces the screen. */
export const lazyWithRetry = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() => retryImport(async () => ({ default: await load() })))

/**
 * For a component beside or above every screen. Its chunk is fetched after the first screen was rendered, and it appears once that is loaded. The
 * screen never waits for it, and nothing typed there is lost.
 */
export function lazyAfterFirstPaint<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Part = lazyWithRetry(load)
  return function AfterFirstPaint(props: Props) {
    const [rendered, setRendered] = useState(false)
    useEffect(() => void firstScreen.then(() => setRendered(true)), [])
    return rendered ? (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    ) : null
  }
}

const AGAIN_MS = 5_000

/** Imports a chunk, and tries again every five seconds while that fails, so it never rejects. */
export async function retryImport<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch {
      await after(AGAIN_MS)
    }
  }
}
