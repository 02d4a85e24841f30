/** Of the outage drill: the run whose worker is the newest build of this browser. */
const DRILL_WORKER = 'drill-worker'

let policy: { createScriptURL: (input: string) => unknown } | undefined

/** Trusted Types: the CSP names this policy and no other, it may be made once, and what it is given decides nothing. */
export function workerUrl(): string {
  policy ??= window.trustedTypes?.createPolicy('service-worker', { createScriptURL: workerPath }) ?? {
    createScriptURL: workerPath,
  }
  return policy.createScriptURL('') as string
}

function workerPath(): string {
  const drilled = __DRILL__ ? localStorage.getItem(DRILL_WORKER) : null
  return drilled === null ? '/sw.js' : `/sw.js?drill=${drilled}`
}

/** To the browser another address is another build: it installs it, and has it wait. Once for each run. */
export async function installAnotherWorker(run: string): Promise<void> {
  if (localStorage.getItem(DRILL_WORKER) === run) return
  localStorage.setItem(DRILL_WORKER, run)
  await navigator.serviceWorker.register(workerUrl())
}
