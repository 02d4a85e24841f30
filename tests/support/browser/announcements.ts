import type { Page } from '@playwright/test'

interface Said {
  text: string
  /** Milliseconds since the heading of the screen was shown. */
  after: number
}

/**
 * Records what a screen reader is told from now on, in order: each change of a live region that was on the page before its text. A region that is
 * added with its text may stay silent, so it does not count. Covers this document only.
 */
export async function followAnnouncements(page: Page): Promise<() => Promise<Said[]>> {
  await page.evaluate(() => {
    const LIVE = '[aria-live], [role=status], [role=alert], [role=log]'
    const log: Said[] = []
    Object.assign(window, { said: log })
    let heading = ''
    let shownAt = performance.now()
    const live = (node: Node) => (node instanceof Element ? node : node.parentElement)?.closest(LIVE)
    new MutationObserver((changes) => {
      const now = document.querySelector('main h1')?.textContent ?? ''
      if (now !== heading) shownAt = performance.now()
      heading = now
      const told = changes.filter(({ type, addedNodes }) => type === 'characterData' || addedNodes.length > 0)
      for (const region of new Set(told.map(({ target }) => live(target)))) {
        const text = region?.textContent.replaceAll('\u00a0', ' ').trim()
        if (text) log.push({ text, after: performance.now() - shownAt })
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  })
  return () => page.evaluate(() => (window as unknown as { said: Said[] }).said)
}
