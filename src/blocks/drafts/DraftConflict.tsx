import { useEffect, useEffectEvent } from 'react'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { choose } from '../../state/dialogs.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { countDifferent, type AccountCopy, type Answers, type StoredDraft } from './AccountDraft.ts'

/** Asks which answers to go on with, when another device has changed the draft meanwhile, and stays until the person has chosen. */
export function DraftConflict({ account, values }: { account: AccountCopy; values: Answers }) {
  const { draft, other } = account
  const ask = async () => {
    if (other === undefined) return
    const chosen = await choose(questionAbout(other, values))
    if (chosen !== 'dismiss') draft.choose(chosen === 'act' ? 'mine' : 'theirs')
  }
  const askAtOnce = useEffectEvent(ask)
  useEffect(() => void askAtOnce(), [other])
  if (other === undefined) return null
  return (
    <Notice
      tone="warn"
      role="status"
      title="Your account has other answers"
      action={<Button onClick={() => void ask()}>Choose</Button>}
    >
      <p>Another device has changed them. Until you choose, what you type here is saved on this device only.</p>
    </Notice>
  )
}

function questionAbout(other: StoredDraft | null, values: Answers) {
  const count = other === null ? 0 : countDifferent(other.values, values)
  return {
    title: 'Which answers do you want to keep?',
    consequence:
      other === null
        ? 'This draft was discarded on another device. This device still has its answers.'
        : `Another device saved this draft to your account, ${formatAsOf(other.savedAt, new Date())}. ${count === 1 ? '1 answer is' : `${count} answers are`} different here. The answers that you do not keep are removed.`,
    act: 'Keep the answers here',
    secondary: other === null ? 'Discard them here too' : 'Take those of the account',
    dismiss: 'Decide later',
    destructive: false,
  }
}
