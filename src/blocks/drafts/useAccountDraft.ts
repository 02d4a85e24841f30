import { useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useOffline } from '../connectivity/useOffline.ts'
import { AccountDraft, type AccountCopy, type AccountFacts, type Answers, type DraftStore } from './AccountDraft.ts'
import { onlyFieldsOf, type DraftedForm } from './useDraft.ts'

/** The account gets what was typed this long after the last key, and is tried this often while it cannot be reached. */
const SETTLE_MS = 1_000
const RETRY_MS = 5_000

/** Keeps the account's copy of what is typed in `form`, which `useDraft` begins after it has read the device's copy. */
export function useAccountDraft<V extends object>(form: DraftedForm<V>, store: DraftStore): AccountCopy {
  const offline = useOffline()
  const [facts, setFacts] = useState<AccountFacts>({ state: 'unread' })
  const [pristine] = useState(form.values)
  const [draft] = useState(() => new AccountDraft(store, pristine as Answers, setFacts))
  useLayoutEffect(() => {
    const adopt = (values: Answers) =>
      flushSync(() => form.setValues({ ...pristine, ...onlyFieldsOf(values as Partial<V>, pristine) }))
    draft.show({ values: form.values as Answers, adopt })
  })

  useEffect(() => {
    // During a submission a draft could arrive after it, and be refused.
    if (offline || form.submitting || facts.state === 'unread') return
    const sync = () => void draft.sync()
    const timer = facts.state === 'waiting' ? setInterval(sync, RETRY_MS) : setTimeout(sync, SETTLE_MS)
    return () => clearInterval(timer)
  }, [draft, form.values, form.submitting, facts.state, offline])
  useEffect(() => {
    const changed = () => void draft.sync({ again: document.visibilityState === 'visible' })
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  }, [draft])

  return {
    ...facts,
    draft,
    isWaiting: facts.state === 'waiting' || (offline && facts.state !== 'unread' && !draft.link.isSent),
  }
}
