import { proxy } from 'valtio/vanilla'

/**
 * Whether our server answers: a verdict from real traffic and a probe, never from navigator.onLine, which stays true with a
 * dead server and can be stuck at false with a live one (cases M3, 18).
 */
export const connectivity = proxy<{ verdict: 'online' | 'offline'; since: number }>({ verdict: 'online', since: 0 })

const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 30_000
let ask: (() => Promise<boolean>) | undefined
let probing: Promise<void> | undefined
let retryMs = FIRST_RETRY_MS
let retry: ReturnType<typeof setTimeout> | undefined

/** `probe` resolves to whether our own server echoed a nonce. */
export function watchConnectivity(probe: () => Promise<boolean>): void {
  ask = probe
  void checkNow()
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, () => void checkNow())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void checkNow())
}

/** The api layer's outcome: an answer of ours settles it, a failure makes us ask. */
export function reportContact(reached: boolean): void {
  if (reached) settle('online')
  else void checkNow()
}

/** Asks now; several askers share one probe. */
export function checkNow(): Promise<void> {
  probing ??= probeOnce().finally(() => {
    probing = undefined
  })
  return probing
}

async function probeOnce() {
  if (ask) settle((await ask().catch(() => false)) ? 'online' : 'offline')
}

function settle(verdict: 'online' | 'offline') {
  if (connectivity.verdict !== verdict) Object.assign(connectivity, { verdict, since: Date.now() })
  clearTimeout(retry)
  if (verdict === 'online') {
    retryMs = FIRST_RETRY_MS
    return
  }
  retry = setTimeout(() => void checkNow(), retryMs)
  retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
}
