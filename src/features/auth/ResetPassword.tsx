import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { mailedLink } from '../../state/mailedLink.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { BackToLogin } from '../accounts/sign-in/BackToLogin.tsx'
import { isLinkInvalid } from './isAboutLink.ts'
import { NewPasswordForm } from '../accounts/passwords/NewPasswordForm.tsx'
import { resetPasswordByLink } from './setPasswordByLink.ts'
import { StepTitle } from '../accounts/sign-in/StepTitle.tsx'

/** Where the mailed link of a forgotten password leads. Its token was taken out of the address before anything was shown. */
export function ResetPassword({ onChanged }: { onChanged: () => void }) {
  const { token } = useSnapshot(mailedLink)
  const [refused, setRefused] = useState<string>()
  if (token === null) {
    return (
      <UnusableLink title="Open the link again">
        This page needs the link from the e-mail, and does not keep it.
      </UnusableLink>
    )
  }
  if (token === refused) {
    return (
      <UnusableLink title="This link does not work">
        It was used already, is older than 30 minutes, was cut short, or a newer one was sent.
      </UnusableLink>
    )
  }
  return (
    <>
      <StepTitle>Reset password</StepTitle>
      <NewPasswordForm
        key={token}
        act="Set new password"
        submit={(password) => resetPasswordByLink(token, password).then(onChanged)}
        onFailure={(error) => isLinkInvalid(error) && setRefused(token)}
      />
      <BackToLogin />
    </>
  )
}

function UnusableLink({ title, children }: { title: string; children: string }) {
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
