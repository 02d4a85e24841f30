import { Link } from '@tanstack/react-router'
import type { User } from '../../contract/accounts/user.ts'
import { Icon } from '../../ui/Icon.tsx'
import { lackMessages } from './lackMessages.ts'
import { useReadiness } from './useReadiness.ts'

/** Whether this device is ready to work offline, or the worst of what is missing and how much more; leads to where it is mended. */
export function ReadinessPill({ user }: { user: User }) {
  const lacks = useReadiness(user)
  if (!lacks) return null
  const [worst, ...more] = lacks
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
