import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react'
import { after } from '../../domain/within.ts'
import { firstScreen } from '../../state/firstScreen.ts'
import { canFetchMissing, loadAnewForMissing } from './missingFile.ts'

/** A component whose chunk is fetched when it is first rendered, again and again until it comes: no error replaces the screen. */
export const lazyWithRetry = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() => retryImport(async () => ({ default: await load() })))

/**
 * For a component beside or above every screen: its chunk is fetched after the first screen has rendered, and it appears when the
 * chunk is there. The screen, and what is typed there, never wait for it.
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

/**
 * Imports a chunk, and tries again every five seconds while it fails, so it never rejects. Where its file can be fetched and still
 * fails, a new page is the last resort.
 */
export async function retryImport<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await load()
    } catch (error) {
      if (tries > 1 && (await canFetchMissing(error))) loadAnewForMissing()
      await after(AGAIN_MS)
    }
  }
}
