import { within } from '../../domain/within.ts'
import { hasTypedHere, hasUnsavedWork, keepUnsavedWork } from '../../state/unsavedWork.ts'

const KEEPING_TAKES_AT_MOST_MS = 1_000

/** Whether this tab may be loaded anew although nobody asked for it. */
export const mayReload = (): boolean => !hasUnsavedWork() && !hasTypedHere()

let reloading = false

/** Reloads this tab, once. What was typed since the person agreed is stored first, if the device can. */
export function reload(): void {
  if (reloading) return
  reloading = true
  void within(KEEPING_TAKES_AT_MOST_MS, keepUnsavedWork())
    .catch(() => undefined)
    .then(() => location.reload())
}

/** Names the build this tab runs by its bytes: the entry script carries the hash of everything it leads to. */
export const releaseName = (): string =>
  document.querySelector<HTMLScriptElement>('script[type=module]')?.src.split('/').at(-1) ?? ''
