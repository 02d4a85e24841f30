import { within } from '../../domain/within.ts'
import { hasTypedHere, hasUnsavedWork, keepUnsavedWork } from '../../state/unsavedWork.ts'

const KEEP_WITHIN_MS = 1_000

/** True if this tab may be reloaded without asking. */
export const mayReload = (): boolean => !hasUnsavedWork() && !hasTypedHere()

let reloading = false

/** Reloads this tab, once. First stores what was typed, if that takes no longer than a second. */
export function reload(): void {
  if (reloading) return
  reloading = true
  void within(KEEP_WITHIN_MS, keepUnsavedWork())
    .catch(() => undefined)
    .then(() => location.reload())
}

/** Names the build that this tab runs, by its content: the entry script carries the hash of everything it loads. */
export const releaseName = (): string =>
  document.querySelector<HTMLScriptElement>('script[type=module]')?.src.split('/').at(-1) ?? ''
