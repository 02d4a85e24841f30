import { useState } from 'react'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { DraftState } from './useDraft.ts'

/** Shown above a form that was restored from a draft, and while this device cannot store what is typed. */
export function DraftNotice({ draft }: { draft: DraftState }) {
  const [now] = useState(() => new Date())
  if (draft.cannotSave) {
    return (
      <Notice tone="warn" role="status">
        <p>This device cannot store a draft. What you type is lost if this page closes.</p>
      </Notice>
    )
  }
  if (!draft.restoredFrom) return null
  return (
    <Notice role="status" icon={ICONS.ok} action={<Button onClick={draft.discard}>Discard draft</Button>}>
      <p>{`This is your draft of ${formatAsOf(draft.restoredFrom, now)}.`}</p>
    </Notice>
  )
}
