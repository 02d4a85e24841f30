import { useRef, useState } from 'react'
import type { User } from '../../contract/accounts/user.ts'
import { pluralize } from '../../domain/quantities.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Count, ICONS } from '../../ui/icons.tsx'
import { lazyDialog } from '../lazy/lazyDialog.tsx'
import { useNotices } from './useNotices.ts'

const NoticeDialog = lazyDialog(
  async () => (await import('./NoticeDialog.tsx')).NoticeDialog,
  ({ onClose }) => onClose,
)

interface NoticeBellProps {
  user: User
  onlyWithNews?: boolean
  className?: string
}

/** How much is unread, said in words too; the list opens from it. `onlyWithNews`: where there is no room to spare. */
export function NoticeBell({ user, onlyWithNews = false, className = '' }: NoticeBellProps) {
  const list = useNotices(user)
  const [open, setOpen] = useState(false)
  const bell = useRef<HTMLButtonElement>(null)
  if (onlyWithNews && !open && list.notices.length === 0) return null
  return (
    <>
      <button
        ref={bell}
        type="button"
        className={`${buttonClass({ variant: 'icon' })} relative ${className}`}
        aria-label={nameOf(list.unread)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon drawing={ICONS.bell} />
        {list.unread > 0 && <Count>{list.unread}</Count>}
      </button>
      {open && <NoticeDialog list={list} at={bell} onClose={() => setOpen(false)} />}
    </>
  )
}

const nameOf = (unread: number) => (unread > 0 ? `Notices, ${pluralize(unread, 'unread', 'unread')}` : 'Notices')
