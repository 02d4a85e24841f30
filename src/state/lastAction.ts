import { loggedOut } from './auth.ts'
import { showToast } from './toasts.ts'

const KEY = 'last-action'
/** The idle limit is minutes, so not every key has to be written. */
const WRITE_EVERY_MS = 5_000
const ACTIONS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

let own = 0
let held = false

/** The person did something here and now. */
export function noteAction(): void {
  own = Date.now()
  try {
    localStorage.setItem(KEY, String(own))
  } catch {
    // Without storage each tab knows only its own person.
  }
}

/** Notes the person's actions from now on. Requests of the app itself do not count, and neither does opening the app. */
export function watchActions(): void {
  const acted = () => {
    if (!held && Date.now() - own >= WRITE_EVERY_MS) noteAction()
  }
  for (const action of ACTIONS) addEventListener(action, acted, { passive: true, capture: true })
}

/** While "Are you still there?" is asked, only its answer counts: a key pressed on the way to Logout does not mean to stay. */
export function holdActions(hold: boolean): void {
  held = hold
}

/** When a person last did something in any tab of this browser, in milliseconds of this device's clock; 0 for never. */
export function lastAction(): number {
  try {
    return Math.max(own, Number(localStorage.getItem(KEY)) || 0)
  } catch {
    return own
  }
}

/** Whole seconds since then, for the server, whose idle limit follows people (rule 4.8). */
export const idleSeconds = (): number => Math.max(0, Math.floor((Date.now() - lastAction()) / 1000))

/** The idle limit ends the session on this device, and the login says so (rule 4.7). */
export function endIdle(): void {
  loggedOut()
  showToast({ tone: 'info', text: 'You were logged out because you were inactive.', stays: true })
}
