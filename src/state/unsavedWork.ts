import { proxy } from 'valtio/vanilla'

/** What can become of answers that nobody has saved, before this tab is loaded anew. */
export interface WorkKeeper {
  /** Keeps them on this device, to be put back; throws where there is no room. */
  keep: () => Promise<void>
  forget: () => Promise<void>
}

/**
 * Names of the forms that hold answers nobody has saved yet. A tab with any of them is never reloaded unasked (DESIGN §6).
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
