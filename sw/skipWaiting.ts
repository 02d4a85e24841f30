declare const self: ServiceWorkerGlobalScope

const ASK_AGAIN_AFTER_MS = 3_000

/**
 * Ends the wait of this worker. Chromium (seen with 156) sometimes waits on after the first call although the worker in use has
 * nothing to do. A later one has it look again; of several that wait, only the first does, so it comes when the tabs are quiet.
 */
export function skipWaiting(): void {
  void self.skipWaiting()
  setTimeout(() => {
    if (self.registration.waiting) void self.skipWaiting()
  }, ASK_AGAIN_AFTER_MS)
}
