import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { firstScreen } from '../../state/firstScreen.ts'
import { shell } from '../../state/shell.ts'
import { Notice } from '../../ui/Notice.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { MerchantLogin } from './MerchantLogin.tsx'
import { PosLogin } from './PosLogin.tsx'

interface Props {
  kind: 'merchant' | 'pos'
  step: 'forgot' | 'reset' | undefined
  /** The server ended this session because the account logged in elsewhere (spec §4). */
  multiLogin: boolean
  /** A new password was set a moment ago, by mailed link. */
  passwordChanged: boolean
  onSignedIn: () => void
  onPasswordChanged: () => void
}

const FALLBACK = 'This account logged in on another device. Only one active session is allowed.'

const loadForgot = () => import('./ForgotPassword.tsx')
const loadReset = () => import('./ResetPassword.tsx')
const ForgotPassword = lazy(async () => ({ default: (await loadForgot()).ForgotPassword }))
const ResetPassword = lazy(async () => ({ default: (await loadReset()).ResetPassword }))

/** The steps of /login. Those beside the login itself are loaded after it, before anyone can want them. */
export function LoginPage({ kind, step, multiLogin, passwordChanged, onSignedIn, onPasswordChanged }: Props) {
  const [email, setEmail] = useState('')
  useEffect(() => void firstScreen.then(() => Promise.all([loadForgot(), loadReset()])).catch(() => undefined), [])
  if (step) {
    return (
      <AuthFrame>
        <Suspense fallback={null}>
          {step === 'forgot' ? <ForgotPassword email={email} /> : <ResetPassword onChanged={onPasswordChanged} />}
        </Suspense>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame notice={<LoginNotice {...{ multiLogin, passwordChanged }} />}>
      <LoginTitle />
      <Kinds />
      {kind === 'merchant' ? (
        <MerchantLogin email={email} onEmail={setEmail} onSignedIn={onSignedIn} />
      ) : (
        <PosLogin onSignedIn={onSignedIn} />
      )}
    </AuthFrame>
  )
}

function LoginTitle() {
  usePageTitle('Login')
  return <h1>Login</h1>
}

function LoginNotice({ multiLogin, passwordChanged }: Pick<Props, 'multiLogin' | 'passwordChanged'>) {
  const { multiLoginMessage } = useSnapshot(shell)
  if (passwordChanged) {
    return (
      <Notice tone="success" icon="ok" role="status">
        <p>Password changed. Log in with the new one.</p>
      </Notice>
    )
  }
  if (!multiLogin) return null
  return (
    <Notice tone="warn" title="Multiple Login Detected">
      {multiLoginMessage || FALLBACK}
    </Notice>
  )
}

/** Two ways in are two addresses, so that a till can bookmark its own. */
function Kinds() {
  return (
    <nav className="tabs" aria-label="Who logs in">
      <Link to="/login" search={keepRest({})} replace activeOptions={{ exact: true }}>
        Merchant
      </Link>
      <Link to="/login" search={keepRest({ as: 'pos' as const })} replace activeOptions={{ exact: true }}>
        Point of sale
      </Link>
    </nav>
  )
}

const keepRest =
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
