import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { Shortcuts } from '../features/palette/Shortcuts.tsx'
import { AppFrame, TillFrame } from '../features/shell/AppFrame.tsx'
import { auth } from '../state/auth.ts'

export const Route = createFileRoute('/_app')({ component: App })

function App() {
  // Between a logout and the guard's redirect there is no user, and nothing may be shown.
  const { user } = useSnapshot(auth)
  if (!user) return null
  const outlet = <Outlet />
  if (user.type === 'POS User') return <TillFrame>{outlet}</TillFrame>
  return (
    <>
      <AppFrame>{outlet}</AppFrame>
      <Shortcuts user={user} />
    </>
  )
}
