import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { ConnectivityBannerSlot, ConnectivityState } from '../../../blocks/connectivity/ConnectivityState.tsx'
import { lazyWithRetry } from '../../../blocks/lazy/lazyWithRetry.tsx'
import { FrameHeader } from '../../../blocks/page/FrameHeader.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import type { SignInStep } from '../../../contract/accounts/auth.ts'
import { firstScreen } from '../../../state/firstScreen.ts'
import { TAB, TabLinks } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { MerchantLogin, PosLogin } from './LoginForms.tsx'
import { LoginNotice, type LoginNoticeProps } from './LoginNotice.tsx'
import type { PendingLogin } from './signIn.ts'
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

const FOOT_LINKS = [
  ['/terms-and-conditions', 'Terms and conditions'],
  ['/terms-of-use', 'Terms of use'],
  ['/voucher-management-guidelines', 'Voucher management guidelines'],
  ['/help', 'Help'],
] as const

/** One card, with notices about it above. */
function AuthFrame({ notice, wide, children }: { notice?: Elements; wide?: boolean; children: ReactNode }) {
  return (
    <div
      className="grid min-h-dvh grid-cols-1 grid-rows-[var(--header)_auto_1fr_auto] bg-canvas pb-(--overlaid) peer-data-banner:min-h-0"
      data-login
    >
      <FrameHeader to="/">
        <ConnectivityState />
      </FrameHeader>
      <ConnectivityBannerSlot works="Logging in needs a connection." />
      {/* Each in its row, whether there is anything above it or not. */}
      <main
        className="row-start-3 grid content-start justify-items-center gap-4 px-4 pt-12 pb-8 phone:pt-6"
        id="main"
        tabIndex={-1}
      >
        {notice}
        <div
          className={`grid gap-5 rounded-3 border border-border bg-surface p-8 phone:px-5 phone:py-6 ${wide ? 'w-[min(var(--form-max),100%)]' : 'w-[min(26rem,100%)]'}`}
        >
          {children}
        </div>
      </main>
      <footer className="row-start-4 flex flex-wrap justify-center gap-x-6 px-4 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
        {FOOT_LINKS.map(([to, label]) => (
          <Link key={to} className="inline-flex min-h-8 items-center text-muted" to={to}>
            {label}
          </Link>
        ))}
      </footer>
    </div>
  )
}
