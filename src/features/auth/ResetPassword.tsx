import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../api/ApiError.ts'
import { NewPasswordFields } from '../../blocks/NewPasswordFields.tsx'
import { newPasswordFailure } from '../../blocks/newPasswordFailure.ts'
import { ResetPasswordForm } from '../../domain/newPassword.ts'
import { mailedLink } from '../../state/mailedLink.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Form } from '../../ui/Form.tsx'
import { useForm } from '../../ui/useForm.ts'
import { BackToLogin } from './BackToLogin.tsx'
import { setPasswordByLink } from './setPasswordByLink.ts'
import { StepTitle } from './StepTitle.tsx'

/** Where a mailed link leads. Its token was taken out of the address before anything was shown. */
export function ResetPassword({ onChanged }: { onChanged: () => void }) {
  const { token } = useSnapshot(mailedLink)
  const [refused, setRefused] = useState<string>()
  if (token === null) {
    return <NoLink title="Open the link again">This page needs the link from the e-mail, and does not keep it.</NoLink>
  }
  if (token === refused) {
    return (
      <NoLink title="This link does not work">
        It was used already, is older than 30 minutes, was cut short, or a newer one was sent.
      </NoLink>
    )
  }
  return <NewPassword key={token} token={token} onChanged={onChanged} onRefused={() => setRefused(token)} />
}

function NewPassword(props: { token: string; onChanged: () => void; onRefused: () => void }) {
  const { token, onChanged, onRefused } = props
  const form = useForm({
    schema: ResetPasswordForm,
    initial: { new_password: '', repeat_password: '' },
    submit: ({ new_password }) =>
      setPasswordByLink(token, new_password).then(onChanged, (error: unknown) => {
        if (isAboutLink(error)) onRefused()
        return newPasswordFailure(error)
      }),
  })
  return (
    <>
      <StepTitle>Reset password</StepTitle>
      <Form form={form}>
        <NewPasswordFields form={form} loginName="" />
        <Button type="submit" variant="primary" wide busy={form.submitting} aria-disabled={form.waiting}>
          Set new password
        </Button>
      </Form>
      <BackToLogin />
    </>
  )
}

/** Dead, or cut short on its way, as some mail programs do: then it does not even look like one of ours. */
const isAboutLink = (error: unknown) =>
  error instanceof ApiError && (error.code === 'LINK_INVALID' || error.fields.some(({ path }) => path === 'token'))

function NoLink({ title, children }: { title: string; children: string }) {
  return (
    <>
      <StepTitle>{title}</StepTitle>
      <p>{children}</p>
      <Link to="/login" search={{ step: 'forgot' }} className={buttonClass({ variant: 'primary', wide: true })}>
        Send a new link
      </Link>
      <BackToLogin />
    </>
  )
}
