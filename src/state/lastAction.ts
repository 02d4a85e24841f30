import { loggedOut } from './auth.ts'
import { showToast } from './toasts.ts'

const KEY = 'last-action'
/** The idle limit is minutes, so not every key has to be written. */
const WRITE_EVERY_MS = 5_000
const ACTIONS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

let own = 0
let held = false

/** Notes that the user did something now. */
export function noteAction(): void {
  own = Date.now()
  try {
    localStorage.setItem(KEY, String(own))
  } catch {
    // Without storage each tab knows only its own user's actions.
  }
}

/** Notes the user's actions from now on. Requests of the app and the opening of the app do not count. */
export function watchActions(): void {
  const acted = () => {
    if (!held && Date.now() - own >= WRITE_EVERY_MS) noteAction()
  }
  for (const action of ACTIONS) addEventListener(action, acted, { passive: true, capture: true })
}

/** While "Are you still there?" is shown, only its answer counts: pressing a key on the way to Logout does not mean to stay. */
export function holdActions(hold: boolean): void {
  held = hold
}

/** When a user last did something in any tab of this browser, in milliseconds of this device's clock; 0 for never. */
export function lastAction(): number {
  try {
    return Math.max(own, Number(localStorage.getItem(KEY)) || 0)
  } catch {
    return own
  }
}

/** Whole seconds since then, for the server: its idle limit counts the user's actions (rule 4.8). */
export const idleSeconds = (): number => Math.max(0, Math.floor((Date.now() - lastAction()) / 1000))

/** Ends the session on this device after the idle limit; the login says so (rule 4.7). */
export function endIdle(): void {
  loggedOut()
  showToast({ tone: 'info', text: 'You were logged out because you were inactive.', stays: true })
}
