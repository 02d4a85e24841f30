import { proxy } from 'valtio/vanilla'

/** What can be done with unsaved answers before this tab reloads. */
export interface WorkKeeper {
  /** Stores them on this device, to be put back; throws where there is no room. */
  keep: () => Promise<void>
  forget: () => Promise<void>
}

/**
 * Names of the forms that hold answers nobody has saved yet. A tab with any of them is never reloaded unasked (rule 14.2).
 * `canKeep`: all of them can be kept on this device; a code that is shown once cannot.
 */
export const unsavedWork = proxy<{ forms: string[]; canKeep: boolean }>({ forms: [], canKeep: true })

const keepers = new Map<string, WorkKeeper | undefined>()

export function markUnsaved(form: string, unsaved: boolean, keeper?: WorkKeeper): void {
  if (unsaved) keepers.set(form, keeper)
  else keepers.delete(form)
  unsavedWork.forms = [...keepers.keys()]
  unsavedWork.canKeep = [...keepers.values()].every(Boolean)
}

export const hasUnsavedWork = (): boolean => unsavedWork.forms.length > 0

/** Throws when something cannot be kept. */
export async function keepUnsavedWork(): Promise<void> {
  await Promise.all([...keepers.values()].map(async (keeper) => keeper?.keep()))
}

export async function forgetUnsavedWork(): Promise<void> {
  await Promise.all([...keepers.values()].map(async (keeper) => keeper?.forget()))
}

const QUIET_AFTER_MS = 10_000

/** Whether somebody typed a moment ago: nothing new appears on the screen then. */
export const typing = proxy({ recent: false })

/** Whether a customer is served at the counter of this page, from the first scan until the tray is empty. */
export const service = proxy({ isUnderWay: false })

let typedOn: string | undefined

let quiet: ReturnType<typeof setTimeout> | undefined

const TEXT_FIELDS = 'input:not([type=checkbox], [type=radio], [type=hidden], [type=file]), textarea'

/** Notes what is typed from now on, in any field, and what was typed before this code was loaded. */
export function watchTyping(): void {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS)
  if ([...fields].some(({ value }) => value !== '')) typedOn = location.pathname
  // Not while the event goes down to the field: a change of the state is drawn before the next listener hears of the event, and with
  // it whatever waits to be drawn. A field that React has not looked at yet is given back its old value then.
  addEventListener('input', noteTyping, { passive: true })
}

function noteTyping() {
  typedOn = location.pathname
  typing.recent = true
  clearTimeout(quiet)
  quiet = setTimeout(() => {
    typing.recent = false
  }, QUIET_AFTER_MS)
}

/** Something was typed on the screen that is open: a half-typed login is no unsaved form, but nobody wants to type it twice. */
export const hasTypedHere = (): boolean => typedOn === location.pathname
