import { createFileRoute, Navigate, useParams } from '@tanstack/react-router'
import { lazy } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { lazyWithRetry } from '../../blocks/lazy/lazyWithRetry.tsx'

/** The check of a till, for whoever works at it, and the drill, for testers. Builds without the drill contain none of it. */
export const Route = createFileRoute('/_app/settings/device_/$part')({ component: DevicePart })

const CheckPage = lazyWithRetry(async () => (await import('../../features/redemptions/check/CheckPage.tsx')).CheckPage)

const DrillPage = __DRILL__
  ? lazy(async () => ({ default: (await import('../../features/drill/DrillPage.tsx')).DrillPage }))
  : () => null

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
  return __DRILL__ && part === 'drill' ? <DrillPage /> : <Navigate to="/404" replace />
}
