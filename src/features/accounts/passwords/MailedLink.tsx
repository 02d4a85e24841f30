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
  /** "a week": an older link does not work. */
  lasts: string
  /** How to get another link. */
  another: Elements
  children: (link: {
    token: string
    /** It is not known yet if the link works. */
    isAsking: boolean
    /** The login that the link was mailed to; empty while the server cannot be asked. */
    loginName: string
    /** Takes every failure of what the link is for: it may say that the link does not work. */
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
 * Checks the link before the person thinks of a password. A lost connection or an older server leaves it `open`: submitting the form checks it
 * again.
 */
function useLinkCheck(kind: LoginLinkKind, token: string | null): LinkCheck {
  const [found, setFound] = useState<LinkCheck & { token: string }>()
  useEffect(() => {
    if (token === null) return
    const asking = new AbortController()
    const tell = (check: LinkCheck) => !asking.signal.aborted && setFound({ token, ...check })
    call(checkLink, { body: { kind, token }, signal: asking.signal }).then(
      ({ login_name: loginName }) => tell({ is: 'open', loginName }),
      (error: unknown) => tell({ is: isLinkInvalid(error) ? 'dead' : 'open' }),
    )
    return () => asking.abort()
  }, [kind, token])
  return token !== null && found?.token === token ? found : { is: 'asking' }
}

/** Used or expired, or cut short by a mail program: then the token itself is invalid. */
const isLinkInvalid = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'LINK_INVALID' || error.fields.some(({ path }) => path === 'token'))

/** An activation link leads here: the first password of an account, then the further steps of its first login. */
export function ActivateAccount({ onStep }: { onStep: (step: LoginStep) => void }) {
  // Read once, when the link is opened: the activation itself logs in too.
  const [loggedIn] = useState(() => auth.user?.login_name)
  const [underReview, setUnderReview] = useState(false)
  if (loggedIn) return <AlreadyLoggedIn name={loggedIn} />
  if (underReview) return <UnderReview />
  return (
    <MailedLink kind="activation" lasts="a week" another={<AskForLink />}>
      {({ token, isAsking, loginName, onFailure }) => (
        <>
          <div>
            <StepTitle>Set your password</StepTitle>
            <p className="text-muted">It activates your account. From then on you log in with it.</p>
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

/** An activation ends in a login, and a browser holds one session only. The user who is logged in here is asked before they are logged out. */
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
  if (sent) return <LinkSent onAgain={() => setSent(false)} />
  return (
    <>
      <StepTitle>Forgot password</StepTitle>
      <p className="text-muted">Enter the email of your account. It gets a link to set a new password.</p>
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

/** The mailed link of a forgotten password leads here. */
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

/** The link that moves a login to another address leads here. */
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
  /** The link is being checked: a press that used it up would make that check say that it is dead. */
  waits: boolean
  onFailure: (error: unknown) => void
  onMoved: (email: string) => void
}

/** Moves the login when a button is pressed: a mail program that opens links to check them changes nothing. */
function ConfirmForm({ token, waits, onFailure, onMoved }: ConfirmFormProps) {
  const form = useForm({
    schema: v.object({}),
    initial: {},
    submit: () => confirm(token).then(onMoved, failed),
  })
  const failed = (error: unknown): FormFailure => {
    onFailure(error)
    const isOffline = error instanceof ApiError && error.isConnectionFault
    return isOffline ? { message: 'This needs a connection. Try again then.' } : toFormFailure(error)
  }
  return (
    <>
      <StepTitle>Confirm your new login email</StepTitle>
      <p>
        You log in with this email from then on, with the password as before. Where you are logged in now, you are
        logged out.
      </p>
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
      <StepTitle>Your login email is changed</StepTitle>
      <p>
        From now on you log in as <b className="font-strong wrap-anywhere">{email}</b>.
      </p>
      <BackToLogin />
    </>
  )
}

/** Moves the login and returns its email. Throws ApiError: LINK_INVALID, NAME_TAKEN. */
async function confirm(token: string): Promise<string> {
  const { email } = await call(confirmEmail, { body: { token } })
  // Every session of that account has ended. If this browser has one, the server's 401 ends it here too.
  if (visitor()) await call(myInfo).catch(() => undefined)
  return email
}
