import { PosLoginForm } from '../../contract/auth.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useForm } from '../../ui/useForm.ts'
import { signIn } from './signIn.ts'
import { signInFailure } from './signInFailure.ts'

export function PosLogin({ onSignedIn }: { onSignedIn: () => void }) {
  const form = useForm({
    schema: PosLoginForm,
    initial: { username: '', password: '' },
    submit: (values) =>
      signIn({ kind: 'pos', ...values }).then(onSignedIn, (error: unknown) => signInFailure(error, 'Username')),
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
