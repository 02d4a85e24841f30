import { LIMITS } from '../../contract/limits.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { CachedStrip } from '../cached/CachedStrip.tsx'
import { useNotices } from './NoticeBell.tsx'
import { NoNotices, NoticeItems } from './NoticeItems.tsx'

interface Props {
  /** The keys of notices that were not seen here before. */
  news: ReadonlySet<string>
  onClose: () => void
}

export function NoticeDialog({ news, onClose }: Props) {
  const read = useNotices()
  const notices = read.data?.notices ?? []
  return (
    <Dialog open hasLongContent onClose={onClose} title="Notices" actions={<Button onClick={onClose}>Close</Button>}>
      <CachedStrip what="list" read={read} />
      {notices.length === 0 ? (
        <NoNotices
          read={read}
          text={`You’re all set. Notices of the programme stay here for ${LIMITS.noticeDays} days.`}
        />
      ) : (
        <NoticeItems notices={notices} look="dialog" news={news} onFollow={onClose} />
      )}
    </Dialog>
  )
}
