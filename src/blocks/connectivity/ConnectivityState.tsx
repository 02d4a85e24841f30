import { useSnapshot } from 'valtio/react'
import { isDown, type ConnectivityVerdict } from '../../domain/connectivity.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { FIRST_ICONS } from '../../ui/Icon.tsx'
import { lazyAfterFirstPaint } from '../lazy/lazyWithRetry.tsx'
import { HeaderStatus } from '../page/FrameHeader.tsx'

/** The connection in one word, beside its icon: colour alone says nothing. The banner says what it means, and is announced. */
export function ConnectivityState({
  wordOnPhone = false,
  className = 'px-2',
}: {
  wordOnPhone?: boolean
  className?: string
}) {
  const { verdict } = useSnapshot(connectivity)
  return (
    <HeaderStatus
      icon={isDown(verdict) ? FIRST_ICONS.offline : FIRST_ICONS.online}
      className={`${verdict === 'online' ? 'text-muted' : 'font-label text-warn-text'} ${className}`}
    >
      {/* While all is well the sign says enough on the smallest phones. */}
      <span className={wordOnPhone ? (verdict === 'online' ? 'tiny:sr-only' : undefined) : 'phone:sr-only'}>
        {VERDICT_LABELS[verdict]}
      </span>
    </HeaderStatus>
  )
}

const VERDICT_LABELS: Record<ConnectivityVerdict, string> = {
  online: 'Online',
  slow: 'Slow',
  unreachable: 'Offline',
  offline: 'Offline',
}

const ConnectivityBanner = lazyAfterFirstPaint(
  async () => (await import('./ConnectivityBanner.tsx')).ConnectivityBanner,
)

/**
 * Where the connection's banner appears, right under the header of a layout. Its chunk is fetched while online; until it is there
 * the header still has its word. `works`: what this page can do offline, in a sentence. `stays`: in view, below a header that does.
 */
export const ConnectivityBannerSlot = ({ works, stays }: { works?: string | undefined; stays?: boolean }) => (
  <div
    className={`min-w-0 print:hidden ${stays ? 'high:sticky high:top-(--header) high:z-3' : ''}`}
    data-connectivity-slot
  >
    <ConnectivityBanner works={works} />
  </div>
)
