import { Link } from '@tanstack/react-router'
import type { SignInStep } from '../../../contract/accounts/auth.ts'
import { MerchantLoginForm, PosLoginForm } from '../../../contract/accounts/loginForms.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { PasswordField } from '../../../ui/form/PasswordField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { submitSignIn } from './submitSignIn.ts'

export interface LoginFormProps {
  /** What was typed before another step was opened. */
  name: string
  onName: (name: string) => void
  onStep: (step: SignInStep, name: string) => void
}

export function MerchantLogin({ name, onName, onStep }: LoginFormProps) {
  const form = useForm({
    schema: MerchantLoginForm,
    initial: { email: name, password: '' },
    submit: (values) => submitSignIn({ kind: 'merchant', ...values }, (step) => onStep(step, values.email)),
  })
  return (
    <Form form={form}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- nobody opens this page for anything else */}
      <TextField label="Email" type="email" autoComplete="username" autoFocus {...form.field('email')} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        labelEnd={
          <Link to="/login" search={toForgot} onClick={() => onName(form.values.email)}>
            Forgot password?
          </Link>
        }
        {...form.field('password')}
      />
      <Button type="submit" variant="primary" wide busy={form.submitting} aria-disabled={form.waiting}>
        Login
      </Button>
      <p className="text-muted flex flex-wrap gap-x-1">
        New to the programme? <Link to="/register">Create new account</Link>
      </p>
    </Form>
  )
}

const toForgot = ({ redirect }: { redirect?: string | undefined }) => ({ redirect, step: 'forgot' as const })

export function PosLogin({ name, onStep }: LoginFormProps) {
  const form = useForm({
    schema: PosLoginForm,
    initial: { username: name, password: '' },
    submit: (values) => submitSignIn({ kind: 'pos', ...values }, (step) => onStep(step, values.username)),
  })
  return (
    <Form form={form}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- nobody opens this page for anything else */}
      <TextField label="Username" autoComplete="username" autoCapitalize="none" autoFocus {...form.field('username')} />
      <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
      <Button type="submit" variant="primary" wide busy={form.submitting} aria-disabled={form.waiting}>
        Login
      </Button>
      <p className="text-muted">Forgotten password: ask your branch to reset it.</p>
    </Form>
  )
}
