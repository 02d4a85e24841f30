import type { FormApi } from '../../../ui/form/useForm.ts'
import { PasswordField } from '../../../ui/form/PasswordField.tsx'
import { PasswordChecklist } from '../../PasswordChecklist.tsx'

interface NewPasswordFieldsProps {
  form: Pick<FormApi<{ new_password: string; repeat_password: string }>, 'field' | 'values'>
  /** Whose password it will be; empty where nobody knows yet. */
  loginName: string
}

/** A new password, typed twice, with its rules. */
export function NewPasswordFields({ form, loginName }: NewPasswordFieldsProps) {
  // Leaving the field is not an attempt: what is open stands in the checklist, and turns into an error on submit only.
  const { onBlur: _later, ...field } = form.field('new_password')
  const rules = <PasswordChecklist password={form.values.new_password} loginName={loginName} />
  return (
    <>
      <PasswordField label="New password" autoComplete="new-password" rules={rules} {...field} />
      <PasswordField label="Repeat new password" autoComplete="new-password" {...form.field('repeat_password')} />
    </>
  )
}
