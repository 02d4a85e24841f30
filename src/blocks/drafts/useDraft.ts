import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import * as v from 'valibot'
import { type Draft, type Drafts, draftsOf } from '../../offline/storage/drafts.ts'
import { auth } from '../../state/auth.ts'
import { markUnsaved, type WorkKeeper } from '../../state/unsavedWork.ts'
import type { AccountCopy, Answers } from './AccountDraft.ts'

export interface DraftedForm<V extends object> {
  values: V
  dirty: boolean
  submitting: boolean
  setValues: (changes: Partial<V>) => void
}

export interface DraftState {
  /** True once the search for a draft has ended. A form shown earlier could be overwritten while the person types. */
  ready: boolean
  /** The time when the form's values were last stored; undefined while they are not. */
  savedAt: Date | undefined
  /** The time when the restored draft was stored; undefined once it was discarded or sent. */
  restoredFrom: Date | undefined
  /** True if this device has no storage or no room, so that what is typed is lost with the page. */
  cannotSave: boolean
  /** Deletes the draft and resets the form to its first values. */
  discard: () => void
  /** Deletes the draft after a successful submit that leaves this screen. */
  done: () => void
}

type Facts = Omit<DraftState, 'discard' | 'done'>

/** The draft is stored this long after the last key, and at once when a submission failed or the page is left. */
const SETTLE_MS = 300
/** With steady typing, a dead battery loses no more than this. */
const AT_LATEST_MS = 2_000

/**
 * Stores what is typed in `form` on this device until it is submitted, and restores it at the next visit: a timeout, a dead
 * battery or an update loses nothing. There is one draft per `key` and person. `secret` names fields that are never stored. A
 * draft from before `outdatedBy`, the time of a submission elsewhere, is not restored. `account` is the copy that the account keeps, if it does.
 */
export function useDraft<V extends object>(
  key: string,
  form: DraftedForm<V>,
  {
    secret = [],
    outdatedBy,
    account,
  }: { secret?: readonly (keyof V)[]; outdatedBy?: Date | undefined; account?: AccountCopy } = {},
): DraftState {
  const [drafts] = useState<Drafts>(() => draftsOf(auth.user?.guid))
  const [state, setState] = useState<Facts>(NO_DRAFT)
  const pristine = useRef(form.values)
  const isStored = useRef(false)
  const isDone = useRef(false)
  /** The time of the first change that is not stored yet. */
  const behind = useRef<number>(undefined)

  const restore = useEffectEvent(async (found: Draft<Partial<V>> | undefined) => {
    // The draft has the time of this device's clock, `outdatedBy` that of the server's clock.
    const savedAt = found && found.savedAt.getTime() + auth.clock_offset_ms
    const outdated = savedAt !== undefined && outdatedBy !== undefined && savedAt < outdatedBy.getTime()
    // `dirty`: the person began to type before the database answered.
    if (!found || outdated || form.dirty) {
      await account?.draft.begin()
      return setState({ ...NO_DRAFT, ready: true })
    }
    isStored.current = true
    const values = { ...pristine.current, ...onlyFieldsOf(found.values, pristine.current) }
    flushSync(() => form.setValues(values))
    setState({ ready: true, savedAt: found.savedAt, restoredFrom: found.savedAt, cannotSave: false })
    await account?.draft.begin({ revision: null, isSent: false, ...found.link, values: values as Answers })
  })
  useEffect(() => {
    const shape = v.custom<Partial<V>>((values) => typeof values === 'object' && values !== null)
    void drafts.read(key, shape).then(restore)
  }, [drafts, key])

  const keep = async () => {
    if (!state.ready || !form.dirty || isDone.current) return
    isStored.current = true
    behind.current = undefined
    const kept = Object.entries(form.values).filter(([name]) => !(secret as readonly string[]).includes(name))
    try {
      const savedAt = await drafts.store(key, Object.fromEntries(kept), account?.draft.link)
      setState((before) => ({ ...before, savedAt, cannotSave: false }))
    } catch (error) {
      setState((before) => ({ ...before, cannotSave: true }))
      throw error
    }
  }
  const store = useEffectEvent(() => void keep().catch(() => undefined))
  const forget = useEffectEvent(() => {
    behind.current = undefined
    if (!isStored.current) return
    isStored.current = false
    void drafts.remove(key).catch(() => undefined)
    setState({ ...NO_DRAFT, ready: true })
  })
  useEffect(() => {
    if (!state.ready) return
    if (!form.dirty) return forget()
    behind.current ??= Date.now()
    const left = behind.current + AT_LATEST_MS - Date.now()
    const settle = setTimeout(store, Math.max(0, Math.min(SETTLE_MS, left)))
    return () => clearTimeout(settle)
  }, [form.values, form.dirty, state.ready])
  // A failed submission says that the draft is stored, so it is stored at once. This waits until the submission has ended, because a report is
  // written to the same database: of two writes over a connection that the browser has closed, Dexie refuses the second.
  useEffect(() => {
    if (!form.submitting) store()
  }, [form.submitting])
  const confirmedAt = account?.savedAt
  useEffect(() => store(), [confirmedAt])
  // Stores the last keys at once when the page is hidden or closed, or this screen is left.
  useEffect(() => {
    const hidden = () => {
      if (document.visibilityState === 'hidden') store()
    }
    document.addEventListener('visibilitychange', hidden)
    return () => {
      document.removeEventListener('visibilitychange', hidden)
      store()
    }
  }, [])

  const discard = () => form.setValues(pristine.current)
  useUnsavedWork(key, form.dirty, {
    keep,
    forget: async () => {
      flushSync(discard)
      await drafts.remove(key).catch(() => undefined)
      await account?.draft.sync()
    },
  })

  const done = () => {
    isDone.current = true
    account?.draft.end()
    void drafts.remove(key).catch(() => undefined)
  }
  const restoredFrom = form.dirty ? (account?.adopted ?? state.restoredFrom) : undefined
  return { ...state, restoredFrom, discard, done }
}

const NO_DRAFT: Facts = {
  ready: false,
  savedAt: undefined,
  restoredFrom: undefined,
  cannotSave: false,
}

/** Keeps only the fields that the form still has: a draft may be older than a change of the form. */
export function onlyFieldsOf<V extends object>(values: Partial<V>, fields: V): Partial<V> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in fields)) as Partial<V>
}

/** While `unsaved`, no update reloads this tab without asking. `keeper` can store the work; without it a reload would lose the work. */
export function useUnsavedWork(form: string, unsaved: boolean, keeper?: WorkKeeper): void {
  const keep = useEffectEvent(async () => keeper?.keep())
  const forget = useEffectEvent(async () => keeper?.forget())
  const canKeep = keeper !== undefined
  useEffect(() => {
    markUnsaved(form, unsaved, canKeep ? { keep: () => keep(), forget: () => forget() } : undefined)
    return () => markUnsaved(form, false)
  }, [form, unsaved, canKeep])
}
