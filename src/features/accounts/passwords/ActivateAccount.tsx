import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../../api/ApiError.ts'
import { signOut } from '../../../blocks/accounts/signOut.ts'
import type { SignInStep } from '../../../contract/accounts/auth.ts'
import { LINK_INCOMPLETE } from '../../../domain/accounts/mailedAddress.ts'
import { auth } from '../../../state/auth.ts'
import { mailedLink } from '../../../state/mailedLink.ts'
import { Button } from '../../../ui/Button.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { BackToLogin, StepTitle } from '../sign-in/StepFrame.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'
import { isLinkInvalid, setNewPassword } from './setNewPassword.ts'
import { UnusableLink, useLinkCheck } from './useLinkCheck.tsx'

/** An activation link leads here: the first password of an account, then the further steps of its first login. */
export function ActivateAccount({ onStep }: { onStep: (step: SignInStep) => void }) {
  const { token } = useSnapshot(mailedLink)
  const [refused, setRefused] = useState<string>()
  // Read once, when the link is opened: the activation itself logs in too.
  const [loggedIn] = useState(() => auth.user?.login_name)
  const link = useLinkCheck('activation', loggedIn ? null : token)
  const [underReview, setUnderReview] = useState(false)
  if (loggedIn) return <AlreadySignedIn name={loggedIn} />
  if (underReview) return <UnderReview />
  if (token === null) {
    return (
      <UnusableLink title="Open the link again" reason={LINK_INCOMPLETE}>
        <AskForLink />
      </UnusableLink>
    )
  }
  if (token === refused || link === 'dead') {
    return (
      <UnusableLink
        title="This link does not work"
        reason="It was used already, is older than a week, was cut short, or a newer one was sent."
      >
        <AskForLink />
      </UnusableLink>
    )
  }
  return (
    <>
      <div>
        <StepTitle>Set your password</StepTitle>
        <p className="text-muted">It activates your account. From then on you log in with it.</p>
      </div>
      <NewPasswordForm
        key={token}
        waits={link === 'asking'}
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

/** The password was set, but the account must be approved before it can log in. */
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

/** There is no link to "Forgot password": an account that was never activated has no password. */
const AskForLink = () => (
  <p className="text-muted">
    If you have set your password already, log in with it. If not, ask whoever manages your organisation’s account to
    send the activation email again. If you applied yourself, <Link to="/register">apply again</Link> with the same
    email.
  </p>
)

/** An activation ends in a login, and a browser holds one session only. Nobody is logged out without being asked. */
function AlreadySignedIn({ name }: { name: string }) {
  return (
    <>
      <StepTitle>Somebody is logged in here</StepTitle>
      <p>
        This browser is logged in as <b className="font-strong wrap-anywhere">{name}</b>. Log out, then open the link
        from the email again.
      </p>
      <Button wide icon={ICONS.out} onClick={() => void signOut()}>
        Logout
      </Button>
    </>
  )
}
