import { choose, confirm, type Confirmation } from '../state/dialogs.ts'
import { showToast } from '../state/toasts.ts'
import { forgetUnsavedWork, hasUnsavedWork, keepUnsavedWork, unsavedWork } from '../state/unsavedWork.ts'

/**
 * Asks about unsaved work, if there is any, before this tab reloads (offline 17). Resolves to `false` if the work stays as it is.
 * Work that cannot be kept on this device can only be discarded.
 */
export async function settleUnsavedWork(): Promise<boolean> {
  if (!hasUnsavedWork()) return true
  if (!unsavedWork.canKeep) return (await confirm(DISCARD_ONLY)) && discardWork()
  const chosen = await choose(SAVE_OR_DISCARD)
  if (chosen === 'dismiss') return false
  return chosen === 'act' ? keepWork() : discardWork()
}

async function keepWork() {
  try {
    await keepUnsavedWork()
    return true
  } catch {
    showToast({ tone: 'danger', text: 'This device has no room for what you typed. The page was not reloaded.' })
    return false
  }
}

async function discardWork() {
  await forgetUnsavedWork()
  return true
}

const SAVE_OR_DISCARD: Confirmation = {
  title: 'Save what you typed?',
  consequence: 'The page will reload. Saved as a draft, it comes back, but without passwords and PINs.',
  act: 'Save',
  secondary: 'Discard',
  dismiss: 'Cancel',
  destructive: false,
}

const DISCARD_ONLY: Confirmation = {
  title: 'Discard what is on this page?',
  consequence: 'The page will reload, and this cannot be saved as a draft. Cancel to finish it first.',
  act: 'Discard',
  dismiss: 'Cancel',
  destructive: true,
}
