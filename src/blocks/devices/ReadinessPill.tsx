import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import type { User } from '../../contract/accounts/user.ts'
import { unsent } from '../../offline/storage/storageHealth.ts'
import { Icon } from '../../ui/Icon.tsx'
import { lackMessages } from './lackMessages.ts'
import { useReadiness } from './useReadiness.ts'

/** Whether this device is ready to work offline, or the worst of what is missing and how much more; leads to where it is put right. */
export function ReadinessPill({ user }: { user: User }) {
  const lacks = useReadiness(user)
  const { count } = useSnapshot(unsent)
  if (!lacks) return null
  // Most browsers never promise to keep what is stored. It matters at every glance only while money is stored here alone.
  const [worst, ...more] = lacks.filter(({ is }) => is !== 'persistence' || count > 0)
  const text = worst ? lackMessages(worst).short : 'Ready offline'
  return (
    <Link
      to="/settings/device"
      className={worst ? 'ready-pill not-ready' : 'ready-pill'}
      aria-label={nameOf(text, more.length)}
    >
      <Icon name={worst ? 'alert' : 'ok'} />
      <span>{text}</span>
      {more.length > 0 && <small>+{more.length}</small>}
    </Link>
  )
}

const nameOf = (text: string, more: number) => `This device: ${text}${more > 0 ? `, and ${more} more` : ''}`
