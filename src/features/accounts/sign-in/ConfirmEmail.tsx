import { useState } from 'react'
import * as v from 'valibot'
import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import { confirmEmail } from '../../../contract/accounts/auth.ts'
import { LINK_INCOMPLETE } from '../../../domain/accounts/mailedAddress.ts'
import { visitor } from '../../../state/auth.ts'
import { mailedLink } from '../../../state/mailedLink.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm, type FormFailure } from '../../../ui/form/useForm.ts'
import { isLinkInvalid } from '../passwords/setNewPassword.ts'
import { UnusableLink, useLinkCheck } from '../passwords/useLinkCheck.tsx'
import { BackToLogin, StepTitle } from './StepFrame.tsx'

/**
 * The link that moves a login to another address leads here. It is followed with a button: a mail program that opens links to look at
 * them moves nothing.
 */
export function ConfirmEmail() {
  const { token } = useSnapshot(mailedLink)
  const [refused, setRefused] = useState<string>()
  const [moved, setMoved] = useState<string>()
  const form = useForm({
    schema: v.object({}),
    initial: {},
    submit: () => confirm(token ?? '').then(setMoved, failed),
  })
  const failed = (error: unknown): FormFailure => {
    if (isLinkInvalid(error)) setRefused(token ?? '')
    const isOffline = error instanceof ApiError && error.isConnectionFault
    return isOffline ? { message: 'This needs a connection. Try again then.' } : toFormFailure(error)
  }
  const link = useLinkCheck('email', token)
  if (moved !== undefined) return <Moved email={moved} />
  if (token === null || token === refused || (link === 'dead' && !form.submitting))
    return <DeadLink used={token !== null} />
  return (
    <>
      <StepTitle>Confirm your new login email</StepTitle>
      <p>
        You log in with this email from then on, with the password as before. Where you are logged in now, you are
        logged out.
      </p>
      <Form form={form}>
        <Button type="submit" variant="primary" wide busy={form.submitting} aria-disabled={form.waiting}>
          Confirm
        </Button>
      </Form>
      <BackToLogin />
    </>
  )
}

function Moved({ email }: { email: string }) {
  return (
    <>
      <StepTitle>Your login email is changed</StepTitle>
      <p>
        From now on you log in as <b className="font-strong wrap-anywhere">{email}</b>.
      </p>
      <BackToLogin />
    </>
  )
}

const DeadLink = ({ used }: { used: boolean }) => (
  <UnusableLink
    title={used ? 'This link does not work' : 'Open the link again'}
    reason={
      used ? 'It was used already, is older than a day, was cut short, or a newer one was sent.' : LINK_INCOMPLETE
    }
  >
    <p className="text-muted">
      If you have confirmed it already, log in with the new email. If not, ask your main account for another link.
    </p>
  </UnusableLink>
)

/** Moves the login, and gives its email. Throws ApiError: LINK_INVALID, NAME_TAKEN. */
async function confirm(token: string): Promise<string> {
  const { email } = await call(confirmEmail, { body: { token } })
  // Every session of that account has ended. If this browser has one, the server's 401 ends it here too.
  if (visitor()) await call(myInfo).catch(() => undefined)
  return email
}
