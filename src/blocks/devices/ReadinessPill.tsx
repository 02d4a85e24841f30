import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import type { User } from '../../contract/accounts/user.ts'
import { unsent } from '../../offline/storage/storageHealth.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
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
      className={`flex min-h-control items-center gap-1 rounded-pill pr-3 pl-2 whitespace-nowrap no-underline hover:bg-surface-hover phone:min-h-[2.75rem] phone:min-w-[2.75rem] phone:justify-center phone:p-0 ${worst ? 'font-label text-warn-text' : 'text-muted'}`}
      aria-label={nameOf(text, more.length)}
    >
      <Icon drawing={worst ? ICONS.alert : ICONS.ok} />
      <span className="phone:hidden">{text}</span>
      {more.length > 0 && <small className="text-xs phone:hidden">+{more.length}</small>}
    </Link>
  )
}

const nameOf = (text: string, more: number) => `This device: ${text}${more > 0 ? `, and ${more} more` : ''}`
