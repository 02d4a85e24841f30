import type { Page } from '@playwright/test'

/** When something was first painted, in milliseconds since the navigation began. The browser notes it a moment after it can be seen. */
export const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          for (const { startTime } of list.getEntriesByName('first-contentful-paint')) resolve(startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
