import { useState, type ReactNode } from 'react'
import { isMainAccount } from '../../domain/accounts/permissions.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { ChangeEmailDialog } from './ChangeEmailDialog.tsx'
import type { Login } from './Login.ts'
import { SetPasswordDialog } from './passwords/SetPasswordDialog.tsx'
import { useUser } from './useUser.ts'

/** What only the main account does with a login below it: menu items, and the dialog that one of them has opened. */
export function useLoginActs(login: Login | undefined): { items: MenuItem[]; dialog: ReactNode } {
  const { type } = useUser()
  const [open, setOpen] = useState<'password' | 'email'>()
  if (!login || !isMainAccount(type)) return { items: [], dialog: null }
  const close = () => setOpen(undefined)
  return {
    items: [
      { label: 'Set password', onSelect: () => setOpen('password') },
      { label: 'Change login email', onSelect: () => setOpen('email') },
    ],
    dialog: (
      <>
        {open === 'password' && <SetPasswordDialog login={login} onClose={close} />}
        {open === 'email' && <ChangeEmailDialog login={login} onClose={close} />}
      </>
    ),
  }
}
