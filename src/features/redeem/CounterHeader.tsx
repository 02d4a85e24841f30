import { LineState } from '../../blocks/LineState.tsx'
import { signOut } from '../../blocks/signOut.ts'
import type { User } from '../../contract/account.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'

export function CounterHeader({ user }: { user: User }) {
  return (
    <header className="top">
      <div className="where">
        <b className="strong">{user.branch_name}</b>
        <small>{user.login_name}</small>
      </div>
      <LineState wordOnPhone />
      <Button variant="text" onClick={() => void signOut()}>
        <Icon name="out" />
        Logout
      </Button>
    </header>
  )
}
