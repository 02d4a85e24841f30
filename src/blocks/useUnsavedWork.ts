import { useEffect } from 'react'
import { markUnsaved } from '../state/unsavedWork.ts'

/** While `unsaved`, no update reloads this tab; leaving the screen lets it. */
export function useUnsavedWork(form: string, unsaved: boolean): void {
  useEffect(() => {
    markUnsaved(form, unsaved)
    return () => markUnsaved(form, false)
  }, [form, unsaved])
}
