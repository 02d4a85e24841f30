import { connectivity } from '../connectivity/connectivity.ts'

const LAST_CONTACT_KEY = 'lastContact'
/** The screen counts in minutes, and storage is not written at every call. */
const SHOWN_GRAIN_MS = 1_000
const KEPT_GRAIN_MS = 30_000

let keptAt = 0

/** When our server last answered, as far as this device remembers: it may have been before this page was opened. */
export function restoreLastContact(): void {
  try {
    keptAt = Number(localStorage.getItem(LAST_CONTACT_KEY)) || 0
  } catch {
    // Storage may be forbidden; the page then knows its own contacts only.
  }
  connectivity.lastContactAt ||= keptAt
}

export function recordContact(now: number): void {
  if (now - connectivity.lastContactAt >= SHOWN_GRAIN_MS) connectivity.lastContactAt = now
  if (now - keptAt < KEPT_GRAIN_MS) return
  keptAt = now
  try {
    localStorage.setItem(LAST_CONTACT_KEY, String(now))
  } catch {
    // As above.
  }
}
