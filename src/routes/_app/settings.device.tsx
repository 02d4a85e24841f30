import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { lazyWithRetry } from '../../blocks/lazy/lazyWithRetry.tsx'
import { DevicePage } from '../../features/devices/DevicePage.tsx'

export const Route = createFileRoute('/_app/settings/device')({ component: Device })

/** With the camera and its reader, which only a cashier tries. */
const TryTill = lazyWithRetry(async () => (await import('../../features/redemptions/TryTill.tsx')).TryTill)

function Device() {
  const isTill = useUser().type === 'POS User'
  return (
    <DevicePage
      isTill={isTill}
      tries={
        isTill && (
          <Suspense fallback={null}>
            <TryTill />
          </Suspense>
        )
      }
    />
  )
}
