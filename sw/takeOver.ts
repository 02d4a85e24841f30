declare const self: ServiceWorkerGlobalScope

const ASK_AGAIN_AFTER_MS = 3_000

/**
 * Ends the wait of this worker. Chromium (seen with 156) sometimes waits on after the first `skipWaiting()` although the worker in
 * use has nothing to do, for five minutes at most. A later call has it look again; of several that wait, only the first does.
 */
export function takeOver(): void {
  void self.skipWaiting()
  setTimeout(() => {
    if (self.registration.waiting) void self.skipWaiting()
  }, ASK_AGAIN_AFTER_MS)
}
