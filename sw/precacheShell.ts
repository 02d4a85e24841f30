import { addPlugins, cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { keepFormerShell } from './formerShell.ts'
import { repairOnDemand } from './repairShell.ts'
import type { ShellFile } from './ShellFile.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: ShellFile[] }

/**
 * The whole shell, every route's chunk included. Each file is taken only when it has the very bytes the build wrote (cases 19):
 * a missing file, a captive page in its place or half a body ends the installation, and the build in use stays. The next check
 * tries again.
 */
export function precacheShell(): void {
  const shell = self.__WB_MANIFEST
  keepFormerShell(shell)
  addPlugins([fetchBadCopyAnew])
  precacheAndRoute(shell)
  cleanupOutdatedCaches()
  repairOnDemand(shell)
}

/** The bad copy may lie in the HTTP cache, even for a year if its sender said so: the next check must not meet it again. */
const fetchBadCopyAnew = {
  async fetchDidFail({ request, event }: { request: Request; event: Event }) {
    if (event.type === 'install') await fetch(request.url, { cache: 'reload' }).catch(() => undefined)
  },
}
