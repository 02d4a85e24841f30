import type { ReactNode } from 'react'
import { signOut } from '../../blocks/accounts/signOut.ts'
import { ConnectivityState } from '../../blocks/connectivity/ConnectivityState.tsx'
import { ReadinessPill } from '../../blocks/devices/ReadinessPill.tsx'
import { NoticeBell } from '../../blocks/notices/NoticeBell.tsx'
import type { User } from '../../contract/accounts/user.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'

interface Props {
  user: User
  /** The name of this device, once it has one. */
  till?: string | undefined
  /** A link back to the counter, on its other screens. */
  back?: ReactNode
}

export function CounterHeader({ user, till, back }: Props) {
  useRootClass('has-counter')
  return (
    <header className="top">
      {back}
      <div className="where">
        <b className="strong">{user.branch_name}</b>
        <small>{till ? `${till} · ${user.login_name}` : user.login_name}</small>
      </div>
      <ReadinessPill user={user} />
      <ConnectivityState wordOnPhone={!back} />
      <NoticeBell user={user} onlyWithNews />
      <Button variant="text" onClick={() => void signOut()}>
        <Icon name="out" />
        Logout
      </Button>
    </header>
  )
}
