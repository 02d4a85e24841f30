import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio/react'
import { ConnectivityBannerSlot, ConnectivityState } from '../../../blocks/connectivity/ConnectivityState.tsx'
import { lazyWithRetry } from '../../../blocks/lazy/lazyWithRetry.tsx'
import { Logo } from '../../../blocks/page/Logo.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import type { SignInStep } from '../../../contract/accounts/auth.ts'
import { firstScreen } from '../../../state/firstScreen.ts'
import { setSuccessRegisterMessage, shell } from '../../../state/shell.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { MerchantLogin, PosLogin } from './LoginForms.tsx'
import { MULTI_LOGIN_MESSAGE } from './loginMessages.ts'
import type { PendingLogin } from './PendingLogin.ts'
import { loadAttemptSignIn } from './submitSignIn.ts'

type LoginKind = 'merchant' | 'pos'

interface Props {
  kind: LoginKind
  step: 'forgot' | 'reset' | 'activate' | undefined
  /** The server ended this session because the account logged in elsewhere (rule 4.5). */
  multiLogin: boolean
  /** A new password was set a moment ago, by mailed link. */
  passwordChanged: boolean
  onSignedIn: () => void
  onPasswordChanged: () => void
  /** From any step back to the login. */
  onLogin: () => void
}

const loadSteps = () => import('./LoginSteps.tsx')

// Who has come as far as the second step does not begin anew for want of its file.
const LoginSteps = lazyWithRetry(async () => (await loadSteps()).LoginSteps)

/** The steps of /login. Those beside the login itself are loaded after it, before anyone can want them. */
export function LoginPage({ kind, step, onSignedIn, onPasswordChanged, onLogin, ...notices }: Props) {
  const [names, setNames] = useState({ merchant: '', pos: '' })
  const [pending, setPending] = useState<PendingLogin>()
  const [expired, setExpired] = useState('')
  useEffect(
    () => void firstScreen.then(() => Promise.all([loadAttemptSignIn(), loadSteps()])).catch(() => undefined),
    [],
  )

  const setName = (name: string) => setNames({ ...names, [kind]: name })
  const goOn = (next: SignInStep, loginName = pending?.loginName ?? '') => {
    if ('challenge' in next) setPending({ ...next, kind, loginName })
    else onSignedIn()
  }
  const drop = () => setPending(undefined)
  if (pending || step) {
    return (
      <AuthFrame wide={pending?.challenge === 'MFA_SETUP'}>
        <Suspense fallback={null}>
          <LoginSteps
            {...{ step, pending, onPasswordChanged }}
            email={names.merchant}
            onStep={goOn}
            onDrop={drop}
            onExpired={(message) => {
              drop()
              setExpired(message)
              onLogin()
            }}
          />
        </Suspense>
      </AuthFrame>
    )
  }
  const Fields = kind === 'merchant' ? MerchantLogin : PosLogin
  return (
    <AuthFrame notice={<LoginNotice {...notices} expired={expired} />}>
      <LoginTitle />
      <LoginKindTabs />
      <Fields
        name={names[kind]}
        onName={setName}
        onStep={(next, name) => {
          setName(name)
          setExpired('')
          goOn(next, name)
        }}
      />
    </AuthFrame>
  )
}

function LoginTitle() {
  usePageTitle('Login')
  return <h1>Login</h1>
}

interface LoginNoticeProps extends Pick<Props, 'multiLogin' | 'passwordChanged'> {
  /** Why a login that was half done has to be done anew. */
  expired: string
}

function LoginNotice({ multiLogin, passwordChanged, expired }: LoginNoticeProps) {
  const { multiLoginMessage } = useSnapshot(shell)
  if (expired) {
    return (
      <Notice tone="warn" role="alert">
        <p>{expired}</p>
      </Notice>
    )
  }
  if (passwordChanged) {
    return (
      <Notice tone="success" icon="ok" role="status">
        <p>Password changed. Log in with the new one.</p>
      </Notice>
    )
  }
  if (!multiLogin) return <ApplicationSentNotice />
  return (
    <Notice tone="warn" title="Multiple Login Detected">
      {multiLoginMessage || MULTI_LOGIN_MESSAGE}
    </Notice>
  )
}

/** Two ways in are two addresses, so that a till can bookmark its own. */
function LoginKindTabs() {
  return (
    <nav className="tabs" aria-label="Who logs in">
      <Link to="/login" search={keepOtherSearch({})} replace activeOptions={{ exact: true }}>
        Merchant
      </Link>
      <Link to="/login" search={keepOtherSearch({ as: 'pos' as const })} replace activeOptions={{ exact: true }}>
        Point of sale
      </Link>
    </nav>
  )
}

const keepOtherSearch =
  <S extends object>(kind: S) =>
  ({
    as: _dropped,
    ...rest
  }: {
    as?: 'pos' | undefined
    multiLogin?: 1 | undefined
    redirect?: string | undefined
  }) => ({
    ...rest,
    ...kind,
  })

/** The spec's auth layout: one card, with what concerns it above. */
function AuthFrame({ notice, wide, children }: { notice?: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <div className="auth">
      <header className="top">
        <Link to="/" className="logo">
          <Logo />
        </Link>
        <ConnectivityState />
      </header>
      <ConnectivityBannerSlot works="Logging in needs a connection." />
      <main id="main" tabIndex={-1}>
        {notice}
        <div className={wide ? 'card wide' : 'card'}>{children}</div>
      </main>
      <footer>
        <Link to="/terms-and-conditions">Terms and conditions</Link>
        <Link to="/terms-of-use">Terms of use</Link>
        <Link to="/voucher-management-guidelines">Voucher management guidelines</Link>
      </footer>
    </div>
  )
}

/** An application was sent from this browser (successRegisterMessage, rule 16.8). */
function ApplicationSentNotice() {
  const { successRegisterMessage } = useSnapshot(shell)
  if (!successRegisterMessage) return null
  const close = <Button variant="icon" icon="x" aria-label="Close" onClick={() => setSuccessRegisterMessage('')} />
  return (
    <Notice tone="success" icon="ok" role="status" action={close}>
      <p>{successRegisterMessage}</p>
    </Notice>
  )
}
