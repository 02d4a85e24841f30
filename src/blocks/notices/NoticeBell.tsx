import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import type { User } from '../../contract/accounts/user.ts'
import { LIMITS } from '../../contract/limits.ts'
import { markNoticesRead, Notices, readNotices } from '../../contract/notices.ts'
import { pluralize } from '../../domain/quantities.ts'
import { readOutbox } from '../../offline/outbox/outbox.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { addMarks, marksOf, sendMarks } from '../../offline/storage/noticeMarks.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { installedBuild } from '../../state/installedBuild.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Count, ICONS } from '../../ui/icons.tsx'
import { useReturnToPage } from '../../ui/usePageVisible.ts'
import { lazyDialog } from '../lazy/lazyDialog.tsx'
import { describeNotice, downloadNotice, updateNotice, type ShownNotice } from './describeNotice.ts'

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

export interface NoticeList {
  /** Newest first. */
  notices: readonly ShownNotice[]
  isRead: (notice: ShownNotice) => boolean
  unread: number
  markRead: (keys: readonly string[]) => void
  /** The server's part: how old it is, and how to ask again. */
  answer: CachedRead<Notices>
}

const ASK_EVERY_MS = 5 * 60_000

/** What concerns this person: what the server knows, and what became of things on this device. */
function useNotices({ guid, type }: User): NoticeList {
  const answer = useCachedRead(guid, 'notices', Notices, () => call(readNotices))
  useAskAgain(answer.retry)
  const marked = useLiveQuery(() => marksOf(guid), `notice-marks/${guid}`)
  const own = useLiveQuery(() => readOutbox(userStore(guid)), `notice-downloads/${guid}`) ?? []
  const { known } = useSnapshot(installedBuild)

  const read = new Set([...(answer.data?.read_keys ?? []), ...(marked ?? [])])
  const notices = [
    ...[
      ...(answer.data?.notices ?? []),
      ...(answer.data?.silent_tills ?? []),
      ...(answer.data?.late_uploads ?? []),
      ...(answer.data?.losses ?? []),
    ].map((one) => describeNotice(one, type === 'POS User')),
    ...own.flatMap(downloadNotice),
    ...updateNotice(known),
  ]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, LIMITS.notices)
  const isRead = ({ key }: ShownNotice) => read.has(key)

  // Marks made offline are sent after the next answer: the connection is there then.
  useEffect(() => {
    if (answer.phase === 'ready') void tellServer(guid)
  }, [guid, answer.phase])
  const markRead = useCallback(
    (keys: readonly string[]) => {
      if (keys.length === 0) return
      // A device that cannot store marks still tells the server what was read.
      void addMarks(guid, keys).then(
        () => tellServer(guid),
        () => mark([...keys]).catch(() => undefined),
      )
    },
    [guid],
  )
  // Until the device has said what was read here, a number would only flicker.
  const unread = marked === undefined ? 0 : notices.filter((one) => !isRead(one)).length
  return { notices, isRead, unread, markRead, answer }
}

const mark = (keys: string[]) => call(markNoticesRead, { body: { keys } })

/** What fails is told with the next answer. */
const tellServer = (owner: string) => sendMarks(owner, mark).catch(() => undefined)

/** A tab that stays open all day hears of what happens meanwhile, while somebody looks at it. */
function useAskAgain(retry: () => void) {
  const askedAt = useRef(0)
  const look = () => {
    if (document.visibilityState !== 'visible' || Date.now() - askedAt.current < ASK_EVERY_MS) return
    askedAt.current = Date.now()
    retry()
  }
  useReturnToPage(look)
  const tick = useEffectEvent(look)
  useEffect(() => {
    askedAt.current = Date.now()
    const timer = setInterval(() => tick(), ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
}
