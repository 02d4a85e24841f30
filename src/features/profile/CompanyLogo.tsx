import { useState } from 'react'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usableLogoUrl } from './freshLogo.ts'

/** The saved logo. The device keeps the facts of a profile and no picture, and the address of one is not good for long. */
export function CompanyLogo({ url, asOf }: { url: string | null; asOf: Date | undefined }) {
  const offline = useOffline()
  const [address] = useState(() => usableLogoUrl(url, asOf))
  const [broken, setBroken] = useState(false)
  if (url === null) return <span className="muted">No logo</span>
  if (address && !broken) {
    return <img className="company-logo" src={address} alt="Company logo" onError={() => setBroken(true)} />
  }
  return <span className="muted">{offline ? 'Shown when there is a connection' : 'Not loaded'}</span>
}
