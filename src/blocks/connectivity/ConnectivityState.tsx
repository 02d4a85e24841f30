import { useSnapshot } from 'valtio/react'
import { isDown, type ConnectivityVerdict } from '../../domain/connectivity.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { Icon } from '../../ui/Icon.tsx'
import { lazyAfterFirstPaint } from '../lazy/lazyWithRetry.tsx'

/** The connection in one word, beside its icon: colour alone says nothing. The banner says what it means, and is announced. */
export function ConnectivityState({
  wordOnPhone = false,
  className = '',
}: {
  wordOnPhone?: boolean
  className?: string
}) {
  const { verdict } = useSnapshot(connectivity)
  return (
    <span className={`status ${verdict === 'online' ? '' : 'off'} ${className}`}>
      <Icon name={isDown(verdict) ? 'offline' : 'online'} />
      {/* While all is well the sign says enough on the smallest phones. */}
      <span className={wordOnPhone ? (verdict === 'online' ? 'tiny:sr-only' : undefined) : 'phone:sr-only'}>
        {VERDICT_LABELS[verdict]}
      </span>
    </span>
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
 * the header still has its word. `works`: what this page can do offline, in a sentence.
 */
export const ConnectivityBannerSlot = ({ works }: { works?: string | undefined }) => (
  <div className="connectivity-slot print:hidden">
    <ConnectivityBanner works={works} />
  </div>
)
