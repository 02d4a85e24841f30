import { useSnapshot } from 'valtio/react'
import { isDown, type ConnectivityVerdict } from '../../domain/connectivity.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { Icon } from '../../ui/Icon.tsx'
import { lazyAfterFirstPaint } from '../lazy/lazyWithRetry.tsx'

const VERDICT_LABELS: Record<ConnectivityVerdict, string> = {
  online: 'Online',
  slow: 'Slow',
  unreachable: 'Offline',
  offline: 'Offline',
}

/** The line in one word, beside its icon: colour alone says nothing. What it means stands in the banner, which is announced too. */
export function ConnectivityState({ wordOnPhone = false }: { wordOnPhone?: boolean }) {
  const { verdict } = useSnapshot(connectivity)
  return (
    <span className={verdict === 'online' ? 'status' : 'status off'}>
      <Icon name={isDown(verdict) ? 'offline' : 'online'} />
      <span className={wordOnPhone ? undefined : 'phone:sr-only'}>{VERDICT_LABELS[verdict]}</span>
    </span>
  )
}

const ConnectivityBanner = lazyAfterFirstPaint(
  async () => (await import('./ConnectivityBanner.tsx')).ConnectivityBanner,
)

/**
 * Where the banner of the line appears, right under the header of a layout. It is fetched while the line is there; without it
 * the header still has its word. `works`: what this page can do without a line, in a sentence.
 */
export const ConnectivityBannerSlot = ({ works }: { works?: string | undefined }) => (
  <div className="connectivity-slot">
    <ConnectivityBanner works={works} />
  </div>
)
