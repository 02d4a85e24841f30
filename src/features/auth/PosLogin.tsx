import { PosLoginForm } from '../../contract/accounts/loginForms.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import type { LoginFormProps } from '../accounts/sign-in/LoginForms.tsx'
import { submitSignIn } from '../accounts/sign-in/submitSignIn.ts'

export function PosLogin({ name, onStep }: LoginFormProps) {
  const form = useForm({
    schema: PosLoginForm,
    initial: { username: name, password: '' },
    submit: (values) => submitSignIn({ kind: 'pos', ...values }, (step) => onStep(step, values.username)),
  })
  return (
    <Form form={form}>
      <TextField label="Username" autoComplete="username" autoCapitalize="none" {...form.field('username')} />
      <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
      <Button type="submit" variant="primary" wide busy={form.submitting} aria-disabled={form.waiting}>
        Login
      </Button>
      <p className="muted">Forgotten password: ask your branch to reset it.</p>
    </Form>
  )
}
