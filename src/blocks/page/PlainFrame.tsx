import type { Elements } from '../../ui/Elements.ts'
import { ConnectivityBannerSlot } from '../connectivity/ConnectivityState.tsx'
import { StorageNotice } from '../devices/StorageNotice.tsx'
import { FrameHeader } from './FrameHeader.tsx'

interface PlainFrameProps {
  /** Puts the page in the middle. */
  standing?: boolean
  /** Shown in the header, at the right. */
  end?: Elements
  /** A sentence on what the page can do without a connection. */
  offline?: string
  children: Elements
}

/** Stays in view, except in a window that is only a few lines high. */
export const STAYS = 'flex-[0_0_var(--header)] print:hidden high:sticky high:top-0 high:z-4'

/** The spec's empty layout: the portal's name and the page, without any navigation. */
export function PlainFrame({ standing = false, end, offline, children }: PlainFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col pb-(--overlaid) in-[.has-foot-bar]:pb-0 peer-data-banner:min-h-0 print:block">
      <FrameHeader
        to="/"
        className={`group/header ${STAYS}`}
        // Only the sign, if the header shows a status.
        words="phone:group-has-data-status/header:hidden"
      >
        {end}
      </FrameHeader>
      <ConnectivityBannerSlot works={offline} stays />
      <main id="main" tabIndex={-1} className={standing ? 'grid flex-1 place-items-center p-6' : 'flex-1'}>
        {!standing && <StorageNotice className="px-4 pt-4" />}
        {children}
      </main>
    </div>
  )
}
