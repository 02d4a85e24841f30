import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react'
import { firstScreen } from '../../state/firstScreen.ts'

/** A part whose file is fetched when it is first drawn, and asked for until it comes: no error card takes the screen away for it. */
export const lazyWithRetry = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() => retryImport(async () => ({ default: await load() })))

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

const AGAIN_MS = 5_000

/**
 * What stands beside the screen or under it, and must not take it along: missing while the line cannot bring its file, there as
 * soon as it can. Settles only then, and never rejects. A browser asks anew for a file that failed.
 */
export async function retryImport<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    const part = await load().catch(() => undefined)
    if (part) return part
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}
