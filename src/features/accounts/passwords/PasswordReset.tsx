import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import { forgotPassword } from '../../../contract/accounts/auth.ts'
import { ForgotPasswordForm } from '../../../contract/accounts/loginForms.ts'
import { LINK_INCOMPLETE } from '../../../domain/accounts/mailedAddress.ts'
import { mailedLink } from '../../../state/mailedLink.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import type { FormFailure } from '../../../ui/form/formErrors.ts'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { BackToLogin, StepTitle } from '../sign-in/StepFrame.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'
import { isLinkInvalid, resetPasswordByLink } from './setNewPassword.ts'
import { UnusableLink, useLinkCheck } from './useLinkCheck.tsx'

/** Asks for a link by email. The answer is the same whether or not the account exists. */
export function ForgotPassword({ email }: { email: string }) {
  const [sent, setSent] = useState(false)
  const form = useForm({
    schema: ForgotPasswordForm,
    initial: { email },
    submit: (body) => call(forgotPassword, { body }).then(() => setSent(true), linkFailure),
  })
  if (sent) return <LinkSent onAgain={() => setSent(false)} />
  return (
    <>
      <StepTitle>Forgot password</StepTitle>
      <p className="text-muted">Enter the email of your account. It gets a link to set a new password.</p>
      <Form form={form}>
        <TextField label="Email" type="email" autoComplete="username" {...form.field('email')} />
        <Button type="submit" variant="primary" wide busy={form.submitting} aria-disabled={form.waiting}>
          Send link
        </Button>
      </Form>
      <BackToLogin />
    </>
  )
}

function LinkSent({ onAgain }: { onAgain: () => void }) {
  return (
    <>
      <StepTitle>Check your email</StepTitle>
      <p>If there is an account for this email, a link is on its way. It works for 30 minutes.</p>
      <p className="text-muted">Nothing after a few minutes? Look in the spam folder, or try again.</p>
      <Button wide onClick={onAgain}>
        Send another link
      </Button>
      <BackToLogin />
    </>
  )
}

function linkFailure(error: unknown): FormFailure {
  const isOffline = error instanceof ApiError && error.isConnectionFault
  return isOffline ? { message: 'Asking for a link needs a connection. What you typed is kept.' } : toFormFailure(error)
}

/** The mailed link of a forgotten password leads here. Its token was removed from the address before anything was shown. */
export function ResetPassword({ onChanged }: { onChanged: () => void }) {
  const { token } = useSnapshot(mailedLink)
  const [refused, setRefused] = useState<string>()
  const link = useLinkCheck('reset', token)
  if (token === null) {
    return (
      <UnusableLink title="Open the link again" reason={LINK_INCOMPLETE}>
        <NewLinkButton />
      </UnusableLink>
    )
  }
  if (token === refused || link === 'dead') {
    return (
      <UnusableLink
        title="This link does not work"
        reason="It was used already, is older than 30 minutes, was cut short, or a newer one was sent."
      >
        <NewLinkButton />
      </UnusableLink>
    )
  }
  return (
    <>
      <StepTitle>Reset password</StepTitle>
      <NewPasswordForm
        key={token}
        waits={link === 'asking'}
        act="Set new password"
        submit={(password) => resetPasswordByLink(token, password).then(onChanged)}
        onFailure={(error) => isLinkInvalid(error) && setRefused(token)}
      />
      <BackToLogin />
    </>
  )
}

const NewLinkButton = () => (
  <Link to="/login" search={{ step: 'forgot' }} className={buttonClass({ variant: 'primary', wide: true })}>
    Send a new link
  </Link>
)
