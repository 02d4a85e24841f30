import { clientsClaim } from 'workbox-core'
import { answerNavigations, precacheShell } from './shell.ts'

declare const self: ServiceWorkerGlobalScope

/**
 * The worker of the portal: the shell comes from the cache, everything else straight from the network. It never skips waiting by
 * itself: a new build takes over when the user agrees (rule 14.2).
 */
precacheShell()
answerNavigations()
clientsClaim()

self.addEventListener('message', ({ data }) => {
  if ((data as { type?: unknown } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})
