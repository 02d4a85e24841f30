import { Link } from '@tanstack/react-router'
import { MerchantLoginForm } from '../../contract/auth.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useForm } from '../../ui/useForm.ts'
import { signIn } from './signIn.ts'
import { signInFailure } from './signInFailure.ts'

interface Props {
  /** What was typed before a look at another step. */
  email: string
  onEmail: (email: string) => void
  onSignedIn: () => void
}

export function MerchantLogin({ email, onEmail, onSignedIn }: Props) {
  const form = useForm({
    schema: MerchantLoginForm,
    initial: { email, password: '' },
    submit: (values) =>
      signIn({ kind: 'merchant', ...values }).then(onSignedIn, (error: unknown) => signInFailure(error, 'Email')),
  })
  return (
    <Form form={form}>
      <TextField label="Email" type="email" autoComplete="username" {...form.field('email')} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        labelEnd={
          <Link to="/login" search={toForgot} onClick={() => onEmail(form.values.email)}>
            Forgot password?
          </Link>
        }
        {...form.field('password')}
      />
      <Button type="submit" variant="primary" wide busy={form.submitting} aria-disabled={form.waiting}>
        Login
      </Button>
      <p className="muted flex flex-wrap gap-x-1">
        New to the programme? <Link to="/register">Create new account</Link>
      </p>
    </Form>
  )
}

const toForgot = ({ redirect }: { redirect?: string | undefined }) => ({ redirect, step: 'forgot' as const })
