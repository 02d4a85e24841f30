import { useSnapshot } from 'valtio/react'
import type { ConnectivityVerdict } from '../../domain/connectivity.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { FIRST_ICONS, type Drawing } from '../../ui/Icon.tsx'
import { lazyAfterFirstPaint } from '../lazy/lazyWithRetry.tsx'
import { HeaderStatus } from '../page/FrameHeader.tsx'
import { asksForLogin } from './connectivityTitle.ts'

/** Shows the connection in one or two words beside an icon. The banner announces changes. */
export function ConnectivityState({
  wordOnPhone = false,
  className = 'px-2',
}: {
  wordOnPhone?: boolean
  className?: string
}) {
  const state = useSnapshot(connectivity)
  const isWell = state.verdict === 'online'
  const { icon, word } = FACES[asksForLogin(state) ? 'captive' : state.verdict]
  return (
    <HeaderStatus icon={icon} className={`${isWell ? 'text-muted' : 'font-label text-warn-text'} ${className}`}>
      {/* While all is well, the icon is enough on the smallest phones. */}
      <span className={wordOnPhone ? (isWell ? 'tiny:sr-only' : undefined) : 'phone:sr-only'}>{word}</span>
    </HeaderStatus>
  )
}

const FACES: Record<ConnectivityVerdict | 'captive', { icon: Drawing; word: string }> = {
  online: { icon: FIRST_ICONS.online, word: 'Online' },
  slow: { icon: FIRST_ICONS.clock, word: 'Slow' },
  // Our service may be down, or the Wi-Fi may have no internet: the browser cannot tell the two apart.
  unreachable: { icon: FIRST_ICONS.offline, word: 'No answer' },
  offline: { icon: FIRST_ICONS.offline, word: 'Offline' },
  captive: { icon: FIRST_ICONS.online, word: 'Wi-Fi login' },
}

const ConnectivityBanner = lazyAfterFirstPaint(
  async () => (await import('./ConnectivityBanner.tsx')).ConnectivityBanner,
)

/**
 * The place of the connectivity banner, right under the header of a layout. Its chunk is fetched while online. Until then the
 * header shows the state. `offlineNote`: what this page can do offline. `stays`: the banner stays in view, below a header that
 * stays too.
 */
export const ConnectivityBannerSlot = ({
  offlineNote,
  stays,
}: {
  offlineNote?: string | undefined
  stays?: boolean
}) => (
  <div
    className={`min-w-0 print:hidden ${stays ? 'high:sticky high:top-(--header) high:z-3' : ''}`}
    data-connectivity-slot
  >
    <ConnectivityBanner offlineNote={offlineNote} />
  </div>
)
