import { createContext, use, useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react'
import * as v from 'valibot'
import { useSnapshot } from 'valtio/react'
import { proxy } from 'valtio/vanilla'
import { call } from '../../api/call.ts'
import { Notices, readNotices, type Notice } from '../../contract/notices.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { onStoredElsewhere, readStored, writeStored } from '../../state/persisted.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Count, ICONS } from '../../ui/icons.tsx'
import { useReturnToPage } from '../../ui/usePageVisible.ts'
import { useUser } from '../accounts/useUser.ts'
import { lazyDialog } from '../lazy/lazyDialog.tsx'

export type NoticesRead = CachedRead<Notices>

const NoticesContext = createContext<NoticesRead | undefined>(undefined)

/** Lets the bell and the dashboard share one read of the notices. */
export function NoticesProvider({ children }: { children: ReactNode }) {
  const { guid } = useUser()
  const read = useCachedRead(guid, 'notices', Notices, (signal) => call(readNotices, { signal }))
  useAskAgain(read.retry)
  return <NoticesContext value={read}>{children}</NoticesContext>
}

/** Reads the notices of this person, inside of a NoticesProvider. */
export function useNotices(): NoticesRead {
  const read = use(NoticesContext)
  if (!read) throw new TypeError('no NoticesProvider')
  return read
}

const ASK_EVERY_MS = 5 * 60_000

/** Keeps a tab that stays open all day up to date, while it is in view. */
function useAskAgain(retry: () => void) {
  const askedAt = useRef(0)
  const askIfDue = () => {
    if (document.visibilityState !== 'visible' || Date.now() - askedAt.current < ASK_EVERY_MS) return
    askedAt.current = Date.now()
    retry()
  }
  useReturnToPage(askIfDue)
  const tick = useEffectEvent(askIfDue)
  useEffect(() => {
    askedAt.current = Date.now()
    const timer = setInterval(() => tick(), ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
}

const SEEN_KEY = 'notices-seen'
const Seen = v.record(v.string(), v.array(v.string()))

/** The keys of the notices that were in the list when it was last opened here, by user. */
const seen = proxy<{ by: v.InferOutput<typeof Seen> }>({ by: readStored(SEEN_KEY, Seen) ?? {} })

onStoredElsewhere(SEEN_KEY, () => {
  seen.by = readStored(SEEN_KEY, Seen) ?? {}
})

const NoticeDialog = lazyDialog(
  async () => (await import('./NoticeDialog.tsx')).NoticeDialog,
  ({ onClose }) => onClose,
)

/** Shows how many notices are new on this device, and opens the list. All notices in an opened list count as seen. */
export function NoticeBell({ className }: { className: string }) {
  const { guid } = useUser()
  const { data } = useNotices()
  const { by } = useSnapshot(seen)
  const news = useMemo(() => {
    const known = new Set(by[guid])
    return new Set((data?.notices ?? []).map(({ key }) => key).filter((key) => !known.has(key)))
  }, [by, guid, data])
  /** The notices that were new when the list was opened. */
  const [shown, setShown] = useState<ReadonlySet<Notice['key']>>()
  const open = () => {
    setShown(news)
    if (!data) return
    seen.by = { ...seen.by, [guid]: data.notices.map(({ key }) => key) }
    writeStored(SEEN_KEY, seen.by)
  }
  return (
    <>
      <button
        type="button"
        className={`${buttonClass({ variant: 'icon' })} relative ${className}`}
        aria-label={news.size > 0 ? `Notices, ${news.size} new` : 'Notices'}
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon drawing={ICONS.bell} />
        {news.size > 0 && <Count>{news.size}</Count>}
      </button>
      {shown && <NoticeDialog news={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
