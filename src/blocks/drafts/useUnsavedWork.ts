import { useEffect, useEffectEvent } from 'react'
import { markUnsaved, type WorkKeeper } from '../../state/unsavedWork.ts'

/** While `unsaved`, no update reloads this tab without asking. `keeper` can store the work; without one a reload would lose it. */
export function useUnsavedWork(form: string, unsaved: boolean, keeper?: WorkKeeper): void {
  const keep = useEffectEvent(async () => keeper?.keep())
  const forget = useEffectEvent(async () => keeper?.forget())
  const canKeep = keeper !== undefined
  useEffect(() => {
    markUnsaved(form, unsaved, canKeep ? { keep: () => keep(), forget: () => forget() } : undefined)
    return () => markUnsaved(form, false)
  }, [form, unsaved, canKeep])
}
