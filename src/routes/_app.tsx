import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { AppFrame } from '../features/shell/AppFrame.tsx'
import { TillFrame } from '../features/shell/TillFrame.tsx'
import { auth } from '../state/auth.ts'

export const Route = createFileRoute('/_app')({ component: App })

function App() {
  // Between a sign-out and the guard's redirect there is nobody, and nothing may be painted for nobody.
  const { user } = useSnapshot(auth)
  if (!user) return null
  const Frame = user.type === 'POS User' ? TillFrame : AppFrame
  return (
    <Frame>
      <Outlet />
    </Frame>
  )
}
