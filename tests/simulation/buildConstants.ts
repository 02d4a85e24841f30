// What the build puts into the portal's own code. Imported before any of it.
Object.assign(globalThis, { __API_ORIGINS__: [], __BUILD_ID__: 'simulated', __DRILL__: false })

/**
 * Dexie tells other tabs of each change by this, to draw their lists anew. A till draws none; and in Node it would be one channel for
 * the tabs of all tablets, with messages at moments that no seed decides.
 */
class NoChannel extends EventTarget {
  postMessage(): void {}
  close(): void {}
}
Object.assign(globalThis, { BroadcastChannel: NoChannel })
