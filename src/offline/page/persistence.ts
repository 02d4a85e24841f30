import { proxy } from 'valtio/vanilla'

/** Whether the browser has promised never to clear what is kept here; undefined until it was asked. */
export const persistence = proxy<{ granted: boolean | undefined }>({ granted: undefined })

const ASKED_KEY = 'asked-to-persist'

/** Looks, and asks nobody. */
export async function readPersistence(): Promise<void> {
  persistence.granted = (await navigator.storage?.persisted?.().catch(() => false)) ?? false
}

/**
 * Asks the browser never to clear what this device has taken and not sent. It may ask the person, so it is called from their
 * tap; a refusal is shown, for a device that may be cleared should not be left alone without a line.
 */
export async function requestPersistence(): Promise<boolean> {
  persistence.granted = (await navigator.storage?.persist?.().catch(() => false)) ?? false
  return persistence.granted
}

/** With the first thing that waits on this device, and never again unasked (cases 23). */
export async function requestPersistenceOnce(): Promise<void> {
  try {
    if (localStorage.getItem(ASKED_KEY)) return
    localStorage.setItem(ASKED_KEY, 'yes')
  } catch {
    // A browser that stores nothing has nothing to promise.
    return
  }
  await requestPersistence()
}
