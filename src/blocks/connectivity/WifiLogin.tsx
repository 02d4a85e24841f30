import { useSnapshot } from 'valtio/react'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { FIRST_ICONS } from '../../ui/Icon.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { asksForLogin } from './connectivityTitle.ts'

/**
 * A page without TLS, which a network can replace by its login page. It cannot do so with our pages: they have TLS, and browsers
 * insist on it (HSTS). This page exists for that purpose and will never have TLS.
 */
const PAGE_WITHOUT_TLS = 'http://neverssl.com/'

export const OPEN_WIFI_LOGIN = 'Open the Wi-Fi login'

export const WifiLoginLink = ({ className = '' }: { className?: string }) => (
  <a
    className={`${buttonClass()} ${className}`}
    href={PAGE_WITHOUT_TLS}
    target="_blank"
    rel="noopener noreferrer"
    aria-label={`${OPEN_WIFI_LOGIN} in a new tab`}
  >
    {OPEN_WIFI_LOGIN}
  </a>
)

/** Asks for the Wi-Fi login, below the header of the counter. For screen readers, every screen announces the connection. */
export function WifiLoginStrip() {
  if (!asksForLogin(useSnapshot(connectivity))) return null
  return (
    <div className="print:hidden">
      <Strip
        icon={FIRST_ICONS.online}
        label="Connection"
        action={<WifiLoginLink className="ml-auto shrink-0 text-base" />}
      >
        <b className="font-strong">Log in to the shop’s Wi-Fi.</b>
      </Strip>
    </div>
  )
}
