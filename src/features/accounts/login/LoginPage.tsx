import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { ConnectivityBannerSlot, ConnectivityState } from '../../../blocks/connectivity/ConnectivityState.tsx'
import { lazyWithRetry } from '../../../blocks/lazy/lazyWithRetry.tsx'
import { FrameHeader } from '../../../blocks/page/FrameHeader.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import type { LoginStep } from '../../../contract/accounts/auth.ts'
import { MerchantLoginForm, PosLoginForm } from '../../../contract/accounts/loginForms.ts'
import { firstScreen } from '../../../state/firstScreen.ts'
import { setSuccessRegisterMessage, shell } from '../../../state/shell.ts'
import { Button, TAB, TabLinks } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { Form } from '../../../ui/form/Form.tsx'
import { PasswordField } from '../../../ui/form/PasswordField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { FIRST_ICONS } from '../../../ui/Icon.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { DemoAccounts as DemoAccountsPanel } from './DemoAccounts.tsx'
import type { LoginName, PendingLogin } from './logIn.ts'
import { loadAttemptLogin, MULTI_LOGIN_MESSAGE, submitLogin } from './submitLogin.ts'

type LoginKind = 'merchant' | 'pos'

interface Props extends Omit<LoginNoticeProps, 'expired'> {
  kind: LoginKind
  step: 'forgot' | 'reset' | 'activate' | 'email' | undefined
  onLoggedIn: () => void
  onPasswordChanged: () => void
  /** Goes from any step back to the login. */
  onBackToLogin: () => void
}

const loadSteps = () => import('./LoginSteps.tsx')
const loadDemoAccounts = () => import('./DemoAccounts.tsx')

// Retried, so that a person on the second step need not start again because one file failed to load.
const LoginSteps = lazyWithRetry(async () => (await loadSteps()).LoginSteps)

/** The page /login. The further steps are loaded after the login form, before a person can need them. */
export function LoginPage({ kind, step, onLoggedIn, onPasswordChanged, onBackToLogin, ...notices }: Props) {
  const [names, setNames] = useState({ merchant: '', pos: '' })
  const [pending, setPending] = useState<PendingLogin>()
  const [expired, setExpired] = useState('')
  const [DemoAccounts, setDemoAccounts] = useState<typeof DemoAccountsPanel>()
  useEffect(
    () =>
      void firstScreen
        .then(() => Promise.all([loadDemoAccounts(), loadAttemptLogin(), loadSteps()]))
        .then(([demo]) => setDemoAccounts(() => demo.DemoAccounts))
        .catch(() => undefined),
    [],
  )

  const setName = (name: string) => setNames({ ...names, [kind]: name })
  const nextStep = (next: LoginStep, who: LoginName = { kind, loginName: pending?.loginName ?? '' }) => {
    if ('challenge' in next) setPending({ ...next, ...who })
    else onLoggedIn()
  }
  const dropPending = () => setPending(undefined)
  if (pending || step) {
    return (
      <AuthFrame wide={pending?.challenge === 'MFA_SETUP'}>
        <Suspense fallback={null}>
          <LoginSteps
            step={step}
            pending={pending}
            onPasswordChanged={onPasswordChanged}
            email={names.merchant}
            onStep={(next) => nextStep(next)}
            onLeave={dropPending}
            onExpired={(message) => {
              dropPending()
              setExpired(message)
              onBackToLogin()
            }}
          />
        </Suspense>
      </AuthFrame>
    )
  }
  const Fields = kind === 'merchant' ? MerchantLogin : PosLogin
  return (
    <AuthFrame
      notice={<LoginNotice {...notices} expired={expired} />}
      below={DemoAccounts && <DemoAccounts onStep={nextStep} />}
    >
      <LoginTitle />
      <LoginKindTabs />
      <Fields
        name={names[kind]}
        onName={setName}
        onStep={(next, name) => {
          setName(name)
          setExpired('')
          nextStep(next, { kind, loginName: name })
        }}
      />
    </AuthFrame>
  )
}

function LoginTitle() {
  usePageTitle('Login')
  return <h1>Login</h1>
}

/**
 * Set on each link instead of a `*:` variant on the parent: that variant compiles to `:is(…)`, which Beasties drops
 * from the critical CSS.
 */
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

interface AuthFrameProps {
  notice?: Elements
  wide?: boolean
  children: ReactNode
  below?: Elements
}

/** Shows one card, with a notice above it and a part below it. */
function AuthFrame({ notice, wide, children, below }: AuthFrameProps) {
  return (
    <div
      className="grid min-h-dvh grid-cols-1 grid-rows-[var(--header)_auto_1fr_auto] bg-canvas pb-(--overlaid) peer-data-banner:min-h-0"
      data-login
    >
      <FrameHeader to="/">
        <ConnectivityState />
      </FrameHeader>
      <ConnectivityBannerSlot offlineNote="Logging in needs a connection." />
      {/* Rows are set explicitly, so that main and footer keep their place when there is no banner. */}
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
        {below}
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

interface LoginFormProps {
  /** The name that was typed before another step was opened. */
  name: string
  onName: (name: string) => void
  onStep: (step: LoginStep, name: string) => void
}

function MerchantLogin({ name, onName, onStep }: LoginFormProps) {
  const form = useForm({
    schema: MerchantLoginForm,
    initial: { email: name, password: '' },
    submit: (values) => submitLogin({ kind: 'merchant', ...values }, (step) => onStep(step, values.email)),
  })
  return (
    <Form form={form}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- nobody opens this page for anything else */}
      <TextField label="Email" type="email" autoComplete="username" autoFocus {...form.field('email')} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        labelEnd={
          <Link to="/login" search={toForgot} onClick={() => onName(form.values.email)}>
            Forgot password?
          </Link>
        }
        {...form.field('password')}
      />
      <Button type="submit" variant="primary" wide busy={form.submitting}>
        Login
      </Button>
      <p className="text-muted flex flex-wrap gap-x-1">
        New to the programme? <Link to="/register">Create new account</Link>
      </p>
    </Form>
  )
}

const toForgot = ({ redirect }: { redirect?: string | undefined }) => ({ redirect, step: 'forgot' as const })

function PosLogin({ name, onStep }: LoginFormProps) {
  const form = useForm({
    schema: PosLoginForm,
    initial: { username: name, password: '' },
    submit: (values) => submitLogin({ kind: 'pos', ...values }, (step) => onStep(step, values.username)),
  })
  return (
    <Form form={form}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- nobody opens this page for anything else */}
      <TextField label="Username" autoComplete="username" autoCapitalize="none" autoFocus {...form.field('username')} />
      <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
      <Button type="submit" variant="primary" wide busy={form.submitting}>
        Login
      </Button>
      <p className="text-muted">Forgot password? Ask your manager.</p>
    </Form>
  )
}

interface LoginNoticeProps {
  /** The server ended this session because the account logged in elsewhere (rule 4.5). */
  multiLogin: boolean
  /** A new password was just set by a mailed link. */
  passwordChanged: boolean
  /** The reason why an unfinished login has to start again. */
  expired: string
}

const CARD_WIDTH = 'w-[min(26rem,100%)]'

/** Says why the login is shown, or what was done before the login. Shows one notice at a time. */
function LoginNotice({ multiLogin, passwordChanged, expired }: LoginNoticeProps) {
  const { multiLoginMessage } = useSnapshot(shell)
  if (expired) {
    return (
      <Notice className={CARD_WIDTH} tone="warn" role="alert">
        <p>{expired}</p>
      </Notice>
    )
  }
  if (passwordChanged) {
    return (
      <Notice className={CARD_WIDTH} tone="success" icon={FIRST_ICONS.ok} role="status">
        <p>Password changed. Log in with the new one.</p>
      </Notice>
    )
  }
  if (!multiLogin) return <ApplicationSentNotice />
  return (
    <Notice className={CARD_WIDTH} tone="warn" title="Multiple Login Detected">
      <p>{multiLoginMessage || MULTI_LOGIN_MESSAGE}</p>
    </Notice>
  )
}

/** An application was sent from this browser (successRegisterMessage, rule 16.8). */
function ApplicationSentNotice() {
  const { successRegisterMessage } = useSnapshot(shell)
  if (!successRegisterMessage) return null
  const close = (
    <Button variant="icon" icon={FIRST_ICONS.x} aria-label="Close" onClick={() => setSuccessRegisterMessage('')} />
  )
  return (
    <Notice className={CARD_WIDTH} tone="success" icon={FIRST_ICONS.ok} role="status" action={close}>
      <p>{successRegisterMessage}</p>
    </Notice>
  )
}
