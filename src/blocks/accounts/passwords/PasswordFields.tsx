import type { ComponentProps } from 'react'
import { GENERATOR_RULES, passwordRules } from '../../../domain/accounts/passwords.ts'
import { PasswordField } from '../../../ui/form/PasswordField.tsx'
import type { FormApi } from '../../../ui/form/useForm.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { useUser } from '../useUser.ts'

/** Makes a password manager offer a password that keeps the rules. */
const GENERATED = { autoComplete: 'new-password', passwordrules: GENERATOR_RULES }

interface NewPasswordFieldsProps {
  form: Pick<FormApi<{ new_password: string; repeat_password: string }>, 'field' | 'values'>
  /** The login name of the password's owner; empty if it is not known yet. */
  loginName: string
}

/** Asks for a new password twice, and shows its rules. */
export function NewPasswordFields({ form, loginName }: NewPasswordFieldsProps) {
  // Leaving the field shows no error: the checklist shows the open rules, which become an error only on submit.
  const { onBlur: _later, ...field } = form.field('new_password')
  const rules = <PasswordChecklist password={form.values.new_password} loginName={loginName} />
  return (
    <>
      <PasswordField label="New password" {...GENERATED} rules={rules} {...field} />
      <PasswordField label="Repeat new password" {...GENERATED} {...form.field('repeat_password')} />
    </>
  )
}

interface PasswordChecklistProps {
  password: string
  /** Empty if the owner of the password is not known: the server then checks the rule about the name. */
  loginName: string
}

/** Shows the rules of a new password, ticked while the person types. */
function PasswordChecklist({ password, loginName }: PasswordChecklistProps) {
  const rules = passwordRules(password, loginName).filter(({ rule }) => rule !== 'not_login_name' || loginName !== '')
  return (
    <>
      <ul
        className="mt-2 grid grid-cols-[repeat(2,auto)] justify-start gap-x-3 gap-y-1 phone:grid-cols-1"
        aria-label="Password rules"
      >
        {rules.map(({ rule, label, met }) => (
          <li key={rule} className={`flex gap-1 ${met && password !== '' ? 'text-text' : 'text-muted'}`}>
            <Icon
              drawing={met && password !== '' ? ICONS.ok : ICONS.todo}
              small
              className={met && password !== '' ? 'mt-0.5 text-success-text phone:mt-1' : 'mt-0.5 phone:mt-1'}
            />
            <span>
              <span>{label}</span>
              <span className="sr-only">{met && password !== '' ? ', met' : ', not met yet'}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-muted">Not one of your last 3 passwords, and not a common one.</p>
    </>
  )
}

interface CurrentPasswordFieldProps extends Omit<ComponentProps<typeof PasswordField>, 'label' | 'autoComplete'> {
  label?: string
}

/** Asks for the password again before an action that only the account's owner may do. */
export function CurrentPasswordField({ label = 'Current password', ...props }: CurrentPasswordFieldProps) {
  const { login_name } = useUser()
  return (
    <>
      {/* Tells a password manager which account the password belongs to. */}
      <input hidden readOnly type="email" autoComplete="username" value={login_name} />
      <PasswordField label={label} autoComplete="current-password" {...props} />
    </>
  )
}
