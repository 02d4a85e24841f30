import { createFileRoute, redirect as toAddress, useLocation, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { landingOf } from '../domain/gate.ts'
import { LoginPage } from '../features/accounts/login/LoginPage.tsx'
import { visitor } from '../state/auth.ts'
import { storeMailedToken } from '../state/mailedLink.ts'
import { showToast } from '../state/toasts.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** True after a changed password. It is in the history state, not in the address, so that no link can fake it. */
    passwordChanged?: true
  }
}

export const Route = createFileRoute('/login')({
  validateSearch: v.object({
    as: v.optional(v.fallback(v.optional(v.literal('pos')), undefined)),
    multiLogin: v.optional(v.fallback(v.optional(v.literal(1)), undefined)),
    redirect: v.optional(v.fallback(v.optional(v.string()), undefined)),
    step: v.optional(v.fallback(v.optional(v.picklist(['forgot', 'reset', 'activate', 'email'])), undefined)),
  }),
  // The token leaves the address bar before anything is shown or loaded: no history, screenshot or referrer may contain it.
  beforeLoad: ({ location, search }) => {
    if (storeMailedToken(location.hash)) throw toAddress({ to: '/login', search, hash: '', replace: true })
  },
  component: Login,
})

function Login() {
  const { as, multiLogin, redirect, step } = Route.useSearch()
  const passwordChanged = useLocation({ select: ({ state }) => state.passwordChanged === true })
  const navigate = useNavigate()
  const openLanding = () => void navigate({ href: landingOf(redirect, visitor()), replace: true })
  const logInAgain = () => {
    // Another user is logged in with this browser, and stays logged in.
    if (visitor()) showToast({ tone: 'success', text: 'Password changed.' })
    void navigate({ to: '/login', search: {}, state: { passwordChanged: true }, replace: true })
  }
  return (
    <LoginPage
      kind={as ?? 'merchant'}
      multiLogin={multiLogin === 1}
      onLoggedIn={openLanding}
      onPasswordChanged={logInAgain}
      onBackToLogin={() => void navigate({ to: '/login', search: { as, redirect }, replace: true })}
      step={step}
      passwordChanged={passwordChanged}
    />
  )
}
