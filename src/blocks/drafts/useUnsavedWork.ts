import { useEffect, useEffectEvent } from 'react'
import { markUnsaved, type WorkKeeper } from '../../state/unsavedWork.ts'

/** While `unsaved`, no update reloads this tab unasked; leaving the screen lets it. Without a keeper it cannot be kept. */
export function useUnsavedWork(form: string, unsaved: boolean, keeper?: WorkKeeper): void {
  const keep = useEffectEvent(async () => keeper?.keep())
  const forget = useEffectEvent(async () => keeper?.forget())
  const canKeep = keeper !== undefined
  useEffect(() => {
    markUnsaved(form, unsaved, canKeep ? { keep: () => keep(), forget: () => forget() } : undefined)
    return () => markUnsaved(form, false)
  }, [form, unsaved, canKeep])
}
