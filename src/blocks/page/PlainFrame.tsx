import type { Elements } from '../../ui/Elements.ts'
import { ConnectivityBannerSlot } from '../connectivity/ConnectivityState.tsx'
import { StorageNotice } from '../devices/StorageNotice.tsx'
import { FrameHeader } from './FrameHeader.tsx'

interface PlainFrameProps {
  /** Puts the page in the middle of the window. */
  centred?: boolean
  /** Shown in the header, at the right. */
  end?: Elements
  /** A sentence on what the page can do without a connection. */
  offlineNote?: string
  children: Elements
}

/** The classes of a header that stays in view, except in a window of a few lines. */
export const STAYS = 'flex-[0_0_var(--header)] print:hidden high:sticky high:top-0 high:z-4'

/** The spec's empty layout: the portal's name above the page, without navigation. */
export function PlainFrame({ centred = false, end, offlineNote, children }: PlainFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col pb-(--overlaid) in-[.has-foot-bar]:pb-0 peer-data-banner:min-h-0 print:block">
      <FrameHeader
        to="/"
        className={`group/header ${STAYS}`}
        // On a phone a header with a status has only the logo.
        nameClass="phone:group-has-data-status/header:hidden"
      >
        {end}
      </FrameHeader>
      <ConnectivityBannerSlot offlineNote={offlineNote} stays />
      <main id="main" tabIndex={-1} className={centred ? 'grid flex-1 place-items-center p-6' : 'flex-1'}>
        {!centred && <StorageNotice className="px-4 pt-4" />}
        {children}
      </main>
    </div>
  )
}
