import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../../api/ApiError.ts'
import { signOut } from '../../../blocks/accounts/signOut.ts'
import type { SignInStep } from '../../../contract/accounts/auth.ts'
import { auth } from '../../../state/auth.ts'
import { mailedLink } from '../../../state/mailedLink.ts'
import { Button } from '../../../ui/Button.tsx'
import { BackToLogin } from '../sign-in/BackToLogin.tsx'
import { StepTitle } from '../sign-in/StepTitle.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'
import { isLinkInvalid, setNewPassword } from './setNewPassword.ts'

/** Where an activation link leads: the first password of an account, then whatever its first login asks. */
export function ActivateAccount({ onStep }: { onStep: (step: SignInStep) => void }) {
  const { token } = useSnapshot(mailedLink)
  const [refused, setRefused] = useState<string>()
  const [underReview, setUnderReview] = useState(false)
  // As it was when the link was opened: the activation itself logs in.
  const [somebody] = useState(() => auth.user?.login_name)
  if (somebody) return <AlreadySignedIn name={somebody} />
  if (underReview) return <UnderReview />
  if (token === null) {
    return (
      <UnusableLink title="Open the link again">
        This page needs the link from the email, and does not keep it.
      </UnusableLink>
    )
  }
  if (token === refused) {
    return (
      <UnusableLink title="This link does not work">
        It was used already, is older than a week, was cut short, or a newer one was sent.
      </UnusableLink>
    )
  }
  return (
    <>
      <div>
        <StepTitle>Set your password</StepTitle>
        <p className="muted">It activates your account. From then on you log in with it.</p>
      </div>
      <NewPasswordForm
        key={token}
        act="Set password"
        submit={(password) => setNewPassword({ token }, password).then(onStep)}
        onFailure={(error) => {
          if (isLinkInvalid(error)) setRefused(token)
          if (waitsForReview(error)) setUnderReview(true)
        }}
      />
      <BackToLogin />
    </>
  )
}

/** The password was set; it is the login after it that somebody has to allow first. */
const waitsForReview = (error: unknown) => error instanceof ApiError && error.code === 'ACCOUNT_PENDING_ACTIVATION'

function UnderReview() {
  return (
    <>
      <StepTitle>Your password is set</StepTitle>
      <p>Your application is being reviewed. You get an email once it is approved, and can then log in.</p>
      <BackToLogin />
    </>
  )
}

/** A forgotten password is another matter: an account that was never activated has none to forget. */
function UnusableLink({ title, children }: { title: string; children: string }) {
  return (
    <>
      <StepTitle>{title}</StepTitle>
      <p>{children}</p>
      <p className="muted">
        If you have set your password already, log in with it. If not, ask whoever manages your organisation’s account
        to send the activation email again. If you applied yourself, <Link to="/register">apply again</Link> with the
        same email.
      </p>
      <BackToLogin />
    </>
  )
}

/** Activating ends in a login, and a browser holds one: nobody is thrown out of theirs unasked. */
function AlreadySignedIn({ name }: { name: string }) {
  return (
    <>
      <StepTitle>Somebody is logged in here</StepTitle>
      <p>
        This browser is logged in as <b className="strong wrap-anywhere">{name}</b>. Log out, then open the link from
        the email again.
      </p>
      <Button wide icon="out" onClick={() => void signOut()}>
        Logout
      </Button>
    </>
  )
}
