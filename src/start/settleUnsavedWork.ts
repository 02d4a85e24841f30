import { choose, confirm, type Confirmation } from '../state/dialogs.ts'
import { showToast } from '../state/toasts.ts'
import { forgetUnsavedWork, hasUnsavedWork, keepUnsavedWork, unsavedWork } from '../state/unsavedWork.ts'

/**
 * Asks about unsaved work, if there is any, before this tab reloads (offline 17). Resolves to `false` if the work stays as it is.
 * Work that cannot be kept on this device can only be discarded.
 */
export async function settleUnsavedWork(): Promise<boolean> {
  if (!hasUnsavedWork()) return true
  if (!unsavedWork.canKeep) return (await confirm(DISCARD_ONLY)) && forget()
  const chosen = await choose(SAVE_OR_DISCARD)
  if (chosen === 'dismiss') return false
  return chosen === 'act' ? keep() : forget()
}

async function keep() {
  try {
    await keepUnsavedWork()
    return true
  } catch {
    showToast({ tone: 'danger', text: 'This device has no room for what you typed. Nothing was refreshed.' })
    return false
  }
}

async function forget() {
  await forgetUnsavedWork()
  return true
}

const SAVE_OR_DISCARD: Confirmation = {
  title: 'Save what you typed?',
  consequence:
    'The page is loaded anew. Saved as a draft on this device, it is back afterwards; passwords and PINs are not saved.',
  act: 'Save',
  secondary: 'Discard',
  dismiss: 'Cancel',
  destructive: false,
}

const DISCARD_ONLY: Confirmation = {
  title: 'Discard what is on this page?',
  consequence: 'The page is loaded anew, and what is on it cannot be saved as a draft. Cancel, and finish it first.',
  act: 'Discard',
  dismiss: 'Cancel',
  destructive: true,
}
