import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { ConnectivityBannerSlot, ConnectivityState } from '../../../blocks/connectivity/ConnectivityState.tsx'
import { lazyWithRetry } from '../../../blocks/lazy/lazyWithRetry.tsx'
import { Logo } from '../../../blocks/page/Logo.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import type { SignInStep } from '../../../contract/accounts/auth.ts'
import { firstScreen } from '../../../state/firstScreen.ts'
import { TAB, TabLinks } from '../../../ui/Button.tsx'
import { MerchantLogin, PosLogin } from './LoginForms.tsx'
import { LoginNotice, type LoginNoticeProps } from './LoginNotice.tsx'
import type { PendingLogin } from './PendingLogin.ts'
import { loadAttemptSignIn } from './submitSignIn.ts'

type LoginKind = 'merchant' | 'pos'

interface Props extends Omit<LoginNoticeProps, 'expired'> {
  kind: LoginKind
  step: 'forgot' | 'reset' | 'activate' | 'email' | undefined
  onSignedIn: () => void
  onPasswordChanged: () => void
  /** From any step back to the login. */
  onLogin: () => void
}

const loadSteps = () => import('./LoginSteps.tsx')

// Retried: somebody who has come to the second step must not start again because one file failed to load.
const LoginSteps = lazyWithRetry(async () => (await loadSteps()).LoginSteps)

/** /login. Its further steps are loaded after the login itself, before anybody can need them. */
export function LoginPage({ kind, step, onSignedIn, onPasswordChanged, onLogin, ...notices }: Props) {
  const [names, setNames] = useState({ merchant: '', pos: '' })
  const [pending, setPending] = useState<PendingLogin>()
  const [expired, setExpired] = useState('')
  useEffect(
    () => void firstScreen.then(() => Promise.all([loadAttemptSignIn(), loadSteps()])).catch(() => undefined),
    [],
  )

  const setName = (name: string) => setNames({ ...names, [kind]: name })
  const nextStep = (next: SignInStep, loginName = pending?.loginName ?? '') => {
    if ('challenge' in next) setPending({ ...next, kind, loginName })
    else onSignedIn()
  }
  const dropPending = () => setPending(undefined)
  if (pending || step) {
    return (
      <AuthFrame wide={pending?.challenge === 'MFA_SETUP'}>
        <Suspense fallback={null}>
          <LoginSteps
            {...{ step, pending, onPasswordChanged }}
            email={names.merchant}
            onStep={nextStep}
            onLeave={dropPending}
            onExpired={(message) => {
              dropPending()
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
          nextStep(next, name)
        }}
      />
    </AuthFrame>
  )
}

function LoginTitle() {
  usePageTitle('Login')
  return <h1>Login</h1>
}

/** On the link itself: what chooses the first screen's rules (Beasties) drops a selector that begins with `:is(`, as `*:` does. */
const CARD_TAB = `${TAB} flex-1 justify-center`

/** Each kind of login has its own address, so that a till can bookmark it. */
function LoginKindTabs() {
  return (
    <TabLinks label="Who logs in" inCard>
      <Link className={CARD_TAB} to="/login" search={keepOtherSearch({})} replace activeOptions={{ exact: true }}>
        Merchant
      </Link>
      <Link
        className={CARD_TAB}
        to="/login"
        search={keepOtherSearch({ as: 'pos' as const })}
        replace
        activeOptions={{ exact: true }}
      >
        Point of sale
      </Link>
    </TabLinks>
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

/** One card, with notices about it above. */
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
        <Link to="/help">Help</Link>
      </footer>
    </div>
  )
}
