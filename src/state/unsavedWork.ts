import { proxy } from 'valtio/vanilla'

/** The choices for unsaved answers before this tab reloads. */
export interface WorkKeeper {
  /** Stores the answers on this device, to be restored; throws if there is no room. */
  keep: () => Promise<void>
  forget: () => Promise<void>
}

/**
 * The names of the forms with answers that are not saved yet. A tab with any of them never reloads unasked (rule 14.2).
 * `canKeep`: true if all of them can be kept on this device; a code that is shown only once cannot.
 */
export const unsavedWork = proxy<{ forms: string[]; canKeep: boolean }>({ forms: [], canKeep: true })

const keepers = new Map<string, WorkKeeper | undefined>()

/** Notes whether `form` has unsaved answers, and how they can be kept on this device, if they can. */
export function markUnsaved(form: string, isUnsaved: boolean, keeper?: WorkKeeper): void {
  if (isUnsaved) keepers.set(form, keeper)
  else keepers.delete(form)
  unsavedWork.forms = [...keepers.keys()]
  unsavedWork.canKeep = [...keepers.values()].every(Boolean)
}

export const hasUnsavedWork = (): boolean => unsavedWork.forms.length > 0

/** Keeps all unsaved work on this device. Throws if a form cannot be kept. */
export async function keepUnsavedWork(): Promise<void> {
  await Promise.all([...keepers.values()].map(async (keeper) => keeper?.keep()))
}

export async function forgetUnsavedWork(): Promise<void> {
  await Promise.all([...keepers.values()].map(async (keeper) => keeper?.forget()))
}

const QUIET_AFTER_MS = 10_000

/** `recent`: the user has typed a moment ago, so nothing new appears on the screen. */
export const typing = proxy({ recent: false })

/** `isUnderWay`: a customer is served at this page's counter, from the first scan until the tray is empty. */
export const service = proxy({ isUnderWay: false })

let typedOnPath: string | undefined

let quietTimer: ReturnType<typeof setTimeout> | undefined

const TEXT_FIELDS = 'input:not([type=checkbox], [type=radio], [type=hidden], [type=file]), textarea'

/** Notes typing in any field from now on, and text that was typed before this code was loaded. */
export function watchTyping(): void {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS)
  if ([...fields].some(({ value }) => value !== '')) typedOnPath = location.pathname
  // Not in the capture phase: React draws a change of state before the next listener gets the event. A field whose new value React
  // has not read yet would then get its old value back.
  addEventListener('input', noteTyping, { passive: true })
}

function noteTyping() {
  typedOnPath = location.pathname
  typing.recent = true
  clearTimeout(quietTimer)
  quietTimer = setTimeout(() => {
    typing.recent = false
  }, QUIET_AFTER_MS)
}

/** True if something was typed on the open screen: a half-typed login is no unsaved form, but no user wants to type it twice. */
export const hasTypedHere = (): boolean => typedOnPath === location.pathname
