import { createFileRoute, Navigate, useParams } from '@tanstack/react-router'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { lazyWithRetry } from '../../blocks/lazy/lazyWithRetry.tsx'

/** The check of a till, for whoever works at it. */
export const Route = createFileRoute('/_app/settings/device_/$part')({ component: DevicePart })

const CheckPage = lazyWithRetry(async () => (await import('../../features/redemptions/check/CheckPage.tsx')).CheckPage)

/** Decided here, not before: the login brings what is done before every screen. */
function DevicePart() {
  const { part } = useParams({ from: '/_app/settings/device_/$part' })
  const { type } = useUser()
  if (part === 'check' && type === 'POS User')
    return (
      // A till is touched: its controls are as high as those of the counter.
      <div className="contents [--control:3rem]">
        <CheckPage />
      </div>
    )
  return <Navigate to="/404" replace />
}
