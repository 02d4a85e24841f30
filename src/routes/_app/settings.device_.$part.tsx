import { createFileRoute, redirect, useParams } from '@tanstack/react-router'
import { lazy } from 'react'
import { lazyWithRetry } from '../../blocks/lazy/lazyWithRetry.tsx'
import { auth } from '../../state/auth.ts'

/** The check of a till, for whoever works at it, and the drill, for testers. Builds without the drill contain none of it. */
export const Route = createFileRoute('/_app/settings/device_/$part')({
  beforeLoad: ({ params: { part } }) => {
    const isCheck = part === 'check' && auth.user?.type === 'POS User'
    const isDrill = __DRILL__ && part === 'drill'
    if (!isCheck && !isDrill) throw redirect({ to: '/404', replace: true })
  },
  component: DevicePart,
})

const CheckPage = lazyWithRetry(async () => (await import('../../features/redemptions/check/CheckPage.tsx')).CheckPage)

const DrillPage = __DRILL__
  ? lazy(async () => ({ default: (await import('../../features/drill/DrillPage.tsx')).DrillPage }))
  : () => null

function DevicePart() {
  const { part } = useParams({ from: '/_app/settings/device_/$part' })
  return part === 'check' ? <CheckPage /> : <DrillPage />
}
