import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { logOut } from '../../../blocks/accounts/logOut.ts'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import {
  checkLink,
  confirmEmail,
  forgotPassword,
  type LoginLinkKind,
  type LoginStep,
} from '../../../contract/accounts/auth.ts'
import { ForgotPasswordForm } from '../../../contract/accounts/loginForms.ts'
import { LINK_INCOMPLETE } from '../../../domain/accounts/mailedAddress.ts'
import { auth, visitor } from '../../../state/auth.ts'
import { mailedLink } from '../../../state/mailedLink.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { Form } from '../../../ui/form/Form.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { type FormFailure, useForm } from '../../../ui/form/useForm.ts'
import { ICONS } from '../../../ui/icons.tsx'
import { BackToLogin, StepTitle } from '../login/StepFrame.tsx'
import { NewPasswordForm, resetPasswordByLink, setNewPassword } from './NewPasswordForm.tsx'

interface Props {
  kind: LoginLinkKind
  /** How long a link works, in words: "a week". */
  lasts: string
  /** Tells how to get another link. */
  another: Elements
  children: (link: {
    token: string
    /** True while the server checks the link. */
    isAsking: boolean
    /** The login that the link was mailed to. Empty if the server has not answered. */
    loginName: string
    /** Receives every failure of the form, because a failure may say that the link does not work. */
    onFailure: (error: unknown) => void
  }) => Elements
}

/** The page of a mailed link. Its token was removed from the address before anything was shown. */
function MailedLink({ kind, lasts, another, children }: Props) {
  const { token } = useSnapshot(mailedLink)
  const [refused, setRefused] = useState<string>()
  const { is, loginName = '' } = useLinkCheck(kind, token)
  if (token !== null && token !== refused && is !== 'dead') {
    const onFailure = (error: unknown) => {
      if (isLinkInvalid(error)) setRefused(token)
    }
    return children({ token, isAsking: is === 'asking', loginName, onFailure })
  }
  return (
    <>
      <StepTitle>{token === null ? 'Open the link again' : 'This link does not work'}</StepTitle>
      <p>
        {token === null
          ? LINK_INCOMPLETE
          : `It was used already, is older than ${lasts}, was cut short, or a newer one was sent.`}
      </p>
      {another}
      <BackToLogin />
    </>
  )
}

interface LinkCheck {
  is: 'asking' | 'open' | 'dead'
  loginName?: string
}

/**
 * Checks the link before the person chooses a password. If the check itself fails, the link counts as `open`, because
 * submitting the form checks it again.
 */
function useLinkCheck(kind: LoginLinkKind, token: string | null): LinkCheck {
  const [found, setFound] = useState<LinkCheck & { token: string }>()
  useEffect(() => {
    if (token === null) return
    const controller = new AbortController()
    const noteCheck = (check: LinkCheck) => !controller.signal.aborted && setFound({ token, ...check })
    call(checkLink, { body: { kind, token }, signal: controller.signal }).then(
      ({ login_name: loginName }) => noteCheck({ is: 'open', loginName }),
      (error: unknown) => noteCheck({ is: isLinkInvalid(error) ? 'dead' : 'open' }),
    )
    return () => controller.abort()
  }, [kind, token])
  return token !== null && found?.token === token ? found : { is: 'asking' }
}

/** True if the link was used or has expired, or if a mail program cut its token short. */
const isLinkInvalid = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'LINK_INVALID' || error.fields.some(({ path }) => path === 'token'))

/** The page of an activation link. Sets the first password of an account, then continues with its first login. */
export function ActivateAccount({ onStep }: { onStep: (step: LoginStep) => void }) {
  // Read once, when the link is opened, because the activation itself also logs in.
  const [loggedInName] = useState(() => auth.user?.login_name)
  const [isUnderReview, setUnderReview] = useState(false)
  if (loggedInName) return <AlreadyLoggedIn name={loggedInName} />
  if (isUnderReview) return <UnderReview />
  return (
    <MailedLink kind="activation" lasts="a week" another={<AskForLink />}>
      {({ token, isAsking, loginName, onFailure }) => (
        <>
          <div>
            <StepTitle>Set your password</StepTitle>
            <p className="text-muted">This activates your account and logs you in.</p>
          </div>
          <NewPasswordForm
            key={token}
            waits={isAsking}
            who={{ kind: 'merchant', loginName }}
            act="Set password"
            submit={(password) => setNewPassword({ token }, password).then(onStep)}
            onFailure={(error) => {
              onFailure(error)
              if (waitsForReview(error)) setUnderReview(true)
            }}
          />
          <BackToLogin />
        </>
      )}
    </MailedLink>
  )
}

/** True if the password was set, but the account must be approved before it can log in. */
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

/** Tells how to get another activation link. "Forgot password" would not help: the account has no password yet. */
const AskForLink = () => (
  <p className="text-muted">
    If you have set your password already, log in with it. If not, ask the person who manages your organisation’s
    account to send the activation email again. If you applied yourself, <Link to="/register">apply again</Link> with
    the same email.
  </p>
)

/** Asks before anyone is logged out: an activation ends in a login, and a browser holds only one session. */
function AlreadyLoggedIn({ name }: { name: string }) {
  return (
    <>
      <StepTitle>Somebody is logged in here</StepTitle>
      <p>
        This browser is logged in as <b className="font-strong wrap-anywhere">{name}</b>. Log out, then open the link
        from the email again.
      </p>
      <Button wide icon={ICONS.out} onClick={() => void logOut()}>
        Logout
      </Button>
    </>
  )
}

/** Asks for a link by email. The answer is the same whether or not the account exists. */
export function ForgotPassword({ email }: { email: string }) {
  const [sent, setSent] = useState(false)
  const form = useForm({
    schema: ForgotPasswordForm,
    initial: { email },
    submit: (body) => call(forgotPassword, { body }).then(() => setSent(true), linkFailure),
  })
  if (sent) return <LinkSent email={form.values.email} onAgain={() => setSent(false)} />
  return (
    <>
      <StepTitle>Forgot password</StepTitle>
      <p className="text-muted">Enter the email of your account. We send it a link to set a new password.</p>
      <Form form={form}>
        <TextField label="Email" type="email" autoComplete="username" {...form.field('email')} />
        <Button type="submit" variant="primary" wide busy={form.submitting}>
          Send link
        </Button>
      </Form>
      <BackToLogin />
    </>
  )
}

function LinkSent({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <>
      <StepTitle>Check your email</StepTitle>
      <p>
        <span>If there is an account for </span>
        <b className="font-strong wrap-anywhere" translate="no">
          {email}
        </b>
        <span>, a link is on its way. It works for 30 minutes.</span>
      </p>
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

/** The page of the link that is mailed for a forgotten password. */
export const ResetPassword = ({ onChanged }: { onChanged: () => void }) => (
  <MailedLink kind="reset" lasts="30 minutes" another={<NewLinkButton />}>
    {({ token, isAsking, loginName, onFailure }) => (
      <>
        <StepTitle>Reset password</StepTitle>
        <NewPasswordForm
          key={token}
          waits={isAsking}
          who={{ kind: 'merchant', loginName }}
          act="Set new password"
          submit={(password) => resetPasswordByLink(token, password).then(onChanged)}
          onFailure={onFailure}
        />
        <BackToLogin />
      </>
    )}
  </MailedLink>
)

const NewLinkButton = () => (
  <Link to="/login" search={{ step: 'forgot' }} className={buttonClass({ variant: 'primary', wide: true })}>
    Send a new link
  </Link>
)

/** The page of the link that moves a login to another email. */
export function ConfirmEmail() {
  const [moved, setMoved] = useState<string>()
  if (moved !== undefined) return <Moved email={moved} />
  return (
    <MailedLink kind="email" lasts="a day" another={ANOTHER}>
      {({ token, isAsking, onFailure }) => (
        <ConfirmForm token={token} waits={isAsking} onFailure={onFailure} onMoved={setMoved} />
      )}
    </MailedLink>
  )
}

const ANOTHER = (
  <p className="text-muted">
    If you have confirmed it already, log in with the new email. If not, ask your main account for another link.
  </p>
)

interface ConfirmFormProps {
  token: string
  /** True while the server checks the link. A press would use the link up, and the check would find it dead. */
  waits: boolean
  onFailure: (error: unknown) => void
  onMoved: (email: string) => void
}

/** Moves the login only when the button is pressed, because some mail programs open every link to check it. */
function ConfirmForm({ token, waits, onFailure, onMoved }: ConfirmFormProps) {
  const form = useForm({
    schema: v.object({}),
    initial: {},
    submit: () => moveLogin(token).then(onMoved, toFailure),
  })
  const toFailure = (error: unknown): FormFailure => {
    onFailure(error)
    const isOffline = error instanceof ApiError && error.isConnectionFault
    return isOffline ? { message: 'Confirming needs a connection. Try again when you have one.' } : toFormFailure(error)
  }
  return (
    <>
      <StepTitle>Confirm your new login email</StepTitle>
      <p>From then on you log in with this email and the same password. You are logged out everywhere.</p>
      <Form form={form} hidden={waits}>
        <Button type="submit" variant="primary" wide busy={form.submitting}>
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
      <StepTitle>Your login email has changed</StepTitle>
      <p>
        From now on you log in as <b className="font-strong wrap-anywhere">{email}</b>.
      </p>
      <BackToLogin />
    </>
  )
}

/** Moves the login and returns its new email. Throws ApiError: LINK_INVALID, NAME_TAKEN. */
async function moveLogin(token: string): Promise<string> {
  const { email } = await call(confirmEmail, { body: { token } })
  // Every session of that account has ended. If this browser has one, the server's 401 ends it here too.
  if (visitor()) await call(myInfo).catch(() => undefined)
  return email
}
