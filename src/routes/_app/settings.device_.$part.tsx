import { createFileRoute, redirect } from '@tanstack/react-router'
import { lazy } from 'react'

/** The only part is the drill, for testers. Builds without the drill contain none of it. */
export const Route = createFileRoute('/_app/settings/device_/$part')({
  beforeLoad: ({ params }) => {
    if (!__DRILL__ || params.part !== 'drill') throw redirect({ to: '/404', replace: true })
  },
  component: DevicePart,
})

const DrillPage = __DRILL__
  ? lazy(async () => ({ default: (await import('../../features/drill/DrillPage.tsx')).DrillPage }))
  : () => null

function DevicePart() {
  return <DrillPage />
}
