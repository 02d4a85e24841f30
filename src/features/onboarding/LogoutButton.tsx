import { signOut } from '../../blocks/accounts/signOut.ts'
import { confirm } from '../../state/dialogs.ts'
import { Button } from '../../ui/Button.tsx'

/** Unlike "Save and leave" it takes what was typed off this device, and says so first. */
export function LogoutButton({ draft = false }: { draft?: boolean }) {
  const logout = async () => {
    if (draft && !(await confirm(DISCARD_DRAFT))) return
    await signOut()
  }
  return (
    <Button variant="text" icon="out" onClick={() => void logout()}>
      <span className="phone:sr-only">Logout</span>
    </Button>
  )
}

const DISCARD_DRAFT = {
  title: 'Discard your draft?',
  consequence:
    'Logging out removes what you typed from this device. “Save and leave” keeps it for your next login here.',
  act: 'Discard and logout',
  wayOut: 'Stay',
  destructive: true,
} as const
