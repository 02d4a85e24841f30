import type { ComponentProps } from 'react'
import { PasswordField } from '../../../ui/form/PasswordField.tsx'
import { useUser } from '../useUser.ts'

interface Props extends Omit<ComponentProps<typeof PasswordField>, 'label' | 'autoComplete'> {
  label?: string
}

/** Asks the password again before something that only its owner may do. */
export function CurrentPasswordField({ label = 'Current password', ...props }: Props) {
  const { login_name } = useUser()
  return (
    <>
      {/* Tells a password manager whose entry it is. */}
      <input hidden readOnly type="email" autoComplete="username" value={login_name} />
      <PasswordField label={label} autoComplete="current-password" {...props} />
    </>
  )
}
