import { addPlugins, cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { answerWithoutShell } from './answerWithoutShell.ts'
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
  addPlugins([pastBadCopies])
  precacheAndRoute(shell)
  // After it: routes are asked in this order, and a file of this build is never looked for elsewhere.
  keepFormerShell(shell)
  cleanupOutdatedCaches()
  repairOnDemand(shell)
  answerWithoutShell(shell)
}

const isInstall = (event: Event) => event.type === 'install'

/**
 * A bad copy may lie in the HTTP cache, for a year if its sender said so. An update has nothing to gain from that cache; a first
 * installation has all that the page just loaded in it, and asks past it only after a failure, for the next try.
 */
const pastBadCopies = {
  async requestWillFetch({ request, event }: { request: Request; event?: Event }) {
    const isUpdate = event && isInstall(event) && self.registration.active
    return isUpdate ? new Request(request, { cache: 'reload' }) : request
  },
  async fetchDidFail({ request, event }: { request: Request; event: Event }) {
    if (isInstall(event)) await fetch(request.url, { cache: 'reload' }).catch(() => undefined)
  },
}
