const AT_LATEST_MS = 100

/** Resolves when the page has nothing to draw, or soon: for what nobody waits for. Safari has no idle time, and takes the next task. */
export const untilIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: AT_LATEST_MS })
    else setTimeout(resolve)
  })
