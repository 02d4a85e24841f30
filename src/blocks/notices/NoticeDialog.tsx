import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { LIMITS } from '../../contract/limits.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Item } from '../../ui/Panel.tsx'
import { CachedStrip } from '../cached/CachedStrip.tsx'
import { useCurrentMinute } from '../cached/useCurrentMinute.ts'
import { useOffline } from '../connectivity/useOffline.ts'
import type { ShownNotice } from './describeNotice.ts'
import type { NoticeList } from './NoticeBell.tsx'

interface Props {
  list: NoticeList
  /** The bell. */
  at: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Newest first, the unread ones marked; following one is reading it. */
export function NoticeDialog({ list, at, onClose }: Props) {
  const { notices, isRead, unread, markRead, answer } = list
  const offline = useOffline()
  const readAll = () => markRead(notices.filter((one) => !isRead(one)).map(({ key }) => key))
  return (
    <Dialog
      open
      holdsForm
      at={at}
      onClose={onClose}
      title="Notices"
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button disabled={unread === 0} onClick={readAll}>
            Mark all as read
          </Button>
        </>
      }
    >
      <CachedStrip what="list" read={answer} />
      {notices.length === 0 ? (
        <p className="text-muted">{emptyMessage(answer.phase, offline)}</p>
      ) : (
        <ul className="-mx-6" aria-label="Notices, newest first">
          {notices.map((notice) => (
            <NoticeRow
              key={notice.key}
              notice={notice}
              read={isRead(notice)}
              onFollow={() => {
                markRead([notice.key])
                onClose()
              }}
              onRead={() => markRead([notice.key])}
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function emptyMessage(phase: NoticeList['answer']['phase'], offline: boolean): string {
  if (phase === 'loading') return 'Checking for new notices…'
  if (phase === 'failed' && offline)
    return 'Notices were not opened here before. They appear once the device is online.'
  if (phase === 'failed') return 'Notices could not be loaded. Try again in a few minutes.'
  return `You’re all caught up. Notices stay here for ${LIMITS.noticeDays} days.`
}

interface RowProps {
  notice: ShownNotice
  read: boolean
  onFollow: () => void
  onRead: () => void
}

function NoticeRow({ notice, read, onFollow, onRead }: RowProps) {
  const { icon, title, text, at, link } = notice
  const now = useCurrentMinute()
  return (
    <Item
      look="dialog"
      mark={<Icon drawing={icon} />}
      action={
        !read && <Button variant="icon" icon={ICONS.check} aria-label={`Mark "${title}" as read`} onClick={onRead} />
      }
    >
      <b className={read ? 'font-body' : 'font-strong'}>
        <span>{title}</span>
        {!read && <span className="ml-2 text-xs text-link">New</span>}
      </b>
      <p className="text-muted">
        <ExactSentence text={text} />
      </p>
      <p className="text-muted">
        <time dateTime={new Date(at).toISOString()}>{formatAsOf(new Date(at), now)}</time>
        {link && (
          <span>
            {' · '}
            <Link {...link.way} onClick={onFollow}>
              {link.label}
            </Link>
          </span>
        )}
      </p>
    </Item>
  )
}
