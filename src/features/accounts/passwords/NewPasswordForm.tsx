import { newPasswordFailure } from '../../../blocks/accounts/passwords/newPasswordFailure.ts'
import { NewPasswordFields } from '../../../blocks/accounts/passwords/PasswordFields.tsx'
import { newPasswordForm } from '../../../domain/accounts/passwords.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'

interface Props {
  /** Not shown yet, because it may turn out to be of no use; its room is kept. */
  waits?: boolean
  /** Whose password it will be, if that is known. */
  who?: { kind: 'merchant' | 'pos'; loginName: string }
  /** The word on the button. */
  act: string
  submit: (password: string) => Promise<void>
  /** Called with a failure before the form shows it. */
  onFailure: (error: unknown) => void
}

/** A new password, without asking for the old one. */
export function NewPasswordForm({ waits = false, who, act, submit, onFailure }: Props) {
  // The rule compares with an email address, which a POS user does not have.
  const email = who?.kind === 'merchant' ? who.loginName : ''
  const form = useForm({
    schema: newPasswordForm(email),
    initial: { new_password: '', repeat_password: '' },
    submit: ({ new_password }) =>
      submit(new_password).catch((error: unknown) => {
        onFailure(error)
        return newPasswordFailure(error)
      }),
  })
  return (
    <Form form={form} hidden={waits}>
      {/* Tells a password manager whose entry it is. */}
      {who && <input hidden readOnly autoComplete="username" value={who.loginName} />}
      <NewPasswordFields form={form} loginName={email} />
      <Button type="submit" variant="primary" wide busy={form.submitting}>
        {act}
      </Button>
    </Form>
  )
}
