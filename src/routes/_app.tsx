import { createFileRoute, Outlet } from '@tanstack/react-router'
import { use } from 'react'
import { UserContext } from '../blocks/accounts/useUser.ts'
import { PaletteKey } from '../features/palette/PaletteKey.tsx'
import { AppFrame, TillFrame } from '../features/shell/AppFrame.tsx'
import { PaperHead } from '../features/shell/PaperHead.tsx'

export const Route = createFileRoute('/_app')({ component: App })

function App() {
  // Between a logout and the guard's redirect there is no user, and nothing may be shown.
  const user = use(UserContext)
  if (!user) return null
  const outlet = <Outlet />
  if (user.type === 'POS User') return <TillFrame>{outlet}</TillFrame>
  return (
    <>
      <AppFrame>
        <PaperHead />
        {outlet}
      </AppFrame>
      <PaletteKey user={user} />
    </>
  )
}
