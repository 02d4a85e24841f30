import type { Elements } from '../../ui/Elements.ts'
import { ConnectivityBannerSlot } from '../connectivity/ConnectivityState.tsx'
import { StorageNotice } from '../devices/StorageNotice.tsx'
import { FrameHeader } from './FrameHeader.tsx'

interface PlainFrameProps {
  /** Puts the page in the middle. */
  standing?: boolean
  /** In the header, at the right. */
  end?: Elements
  /** What the page can do without a connection. */
  offline?: string
  children: Elements
}

/** In view for good, but in a window that is itself no higher than a few lines. */
export const STAYS = 'flex-[0_0_var(--header)] print:hidden high:sticky high:top-0 high:z-4'

/** The spec's empty layout: the name of the portal, the page, and no way to anywhere else. */
export function PlainFrame({ standing = false, end, offline, children }: PlainFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col pb-(--overlaid) in-[.has-foot-bar]:pb-0 peer-data-banner:min-h-0 print:block">
      <FrameHeader
        to="/"
        className={`group/header ${STAYS}`}
        // The sign alone, where the header has something to say.
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
