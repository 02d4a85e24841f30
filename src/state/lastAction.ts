import { clearSession } from './auth.ts'
import { showToast } from './toasts.ts'

const KEY = 'last-action'
/** The idle limit is minutes, so not every key has to be written. */
const WRITE_EVERY_MS = 5_000
const ACTIONS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

let ownActionAt = 0
let isPaused = false

/** Notes that the user did something now. */
export function noteAction(): void {
  ownActionAt = Date.now()
  try {
    localStorage.setItem(KEY, String(ownActionAt))
  } catch {
    // Without storage each tab knows only its own user's actions.
  }
}

/** Notes the user's actions from now on. Requests of the app and the opening of the app do not count. */
export function watchActions(): void {
  const onAction = () => {
    if (!isPaused && Date.now() - ownActionAt >= WRITE_EVERY_MS) noteAction()
  }
  for (const action of ACTIONS) addEventListener(action, onAction, { passive: true, capture: true })
}

/** Stops noting actions while "Are you still there?" is shown: a key pressed on the way to Logout does not mean to stay. */
export function pauseActions(isNowPaused: boolean): void {
  isPaused = isNowPaused
}

/** When a user last did something in any tab of this browser, in milliseconds of this device's clock; 0 for never. */
export function lastActionAt(): number {
  try {
    return Math.max(ownActionAt, Number(localStorage.getItem(KEY)) || 0)
  } catch {
    return ownActionAt
  }
}

/** The whole seconds since the last action, for the server: its idle limit counts the user's actions (rule 4.8). */
export const idleSeconds = (): number => Math.max(0, Math.floor((Date.now() - lastActionAt()) / 1000))

/** Ends the session on this device after the idle limit; the login says so (rule 4.7). */
export function endIdle(): void {
  clearSession()
  showToast({ tone: 'info', text: 'You were logged out because you were inactive.', stays: true })
}
