import type { ComponentProps } from 'react'
import { useUser } from '../useUser.ts'
import { PasswordField } from '../../../ui/form/PasswordField.tsx'

/** Asks the password again before something that only its owner may do. */
export function CurrentPasswordField(props: Omit<ComponentProps<typeof PasswordField>, 'label' | 'autoComplete'>) {
  const { login_name } = useUser()
  return (
    <>
      {/* Tells a password manager whose entry it is. */}
      <input hidden readOnly type="email" autoComplete="username" value={login_name} />
      <PasswordField label="Current password" autoComplete="current-password" {...props} />
    </>
  )
}
