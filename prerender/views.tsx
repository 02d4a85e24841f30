import { StrictMode, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { UserContext } from '../src/blocks/accounts/useUser.ts'
import { permissionsOf } from '../src/domain/accounts/permissions.ts'
import { LoginPage } from '../src/features/accounts/login/LoginPage.tsx'
import { AppFrame } from '../src/features/shell/AppFrame.tsx'
import { auth } from '../src/state/auth.ts'
import { shell } from '../src/state/shell.ts'
import { BusySlot } from '../src/ui/Button.tsx'
import { Skeleton } from '../src/ui/ProgressBar.tsx'
import { HELD, PLACEHOLDERS } from './inertMarkup.ts'
import { setAddress } from './routerStandIn.tsx'

export type Views = Record<'auth' | 'default', string>

/** The markup of `#first`, by layout. Each screen is in a `data-view`; boot.ts chooses the one that a visitor sees. */
export function drawViews(): Views {
  const held = (login: string) => `<${HELD}>${login}</${HELD}>`
  return { auth: `${held(drawLogin('merchant'))}${held(drawLogin('pos'))}`, default: drawApp() }
}

const nothing = () => undefined

/** The busy sign of a button: it can be pressed before the app has loaded, and boot.ts then shows this. */
const WAITING = renderToStaticMarkup(<BusySlot />).replace('<span', '<span hidden=""')

function drawLogin(kind: 'merchant' | 'pos') {
  setAddress(kind === 'pos' ? '/login?as=pos' : '/login')
  shell.multiLoginMessage = PLACEHOLDERS.notice
  const callbacks = { onLoggedIn: nothing, onPasswordChanged: nothing, onBackToLogin: nothing }
  const login = <LoginPage kind={kind} step={undefined} multiLogin passwordChanged={false} {...callbacks} />
  return draw(kind, login).replace(/<button type="submit"[^>]*>/, `$&${WAITING}`)
}

/** Draws the frame for the user type that sees most of it. boot.ts removes what another type does not see. */
function drawApp() {
  setAddress('')
  auth.user = {
    type: 'HRP Merchant',
    status: 'Active',
    guid: '',
    login_name: '',
    organisation_name: PLACEHOLDERS.account,
  } as unknown as typeof auth.user
  auth.permissions = permissionsOf('HRP Merchant', 'Active')
  return draw(
    'app',
    <UserContext value={auth.user}>
      <AppFrame>
        <PageSkeleton />
      </AppFrame>
    </UserContext>,
  )
}

const draw = (view: string, screen: ReactNode) =>
  renderToStaticMarkup(
    <StrictMode>
      <div data-view={view}>{screen}</div>
    </StrictMode>,
    { identifierPrefix: `first-${view}-` },
  )

/** Shows the shape that most pages have, a title and a table, until the page comes. */
function PageSkeleton() {
  return (
    <div className="grid gap-6" aria-hidden="true">
      <Skeleton line="short" />
      {Array.from({ length: 6 }, (_, row) => (
        <Skeleton key={row} />
      ))}
    </div>
  )
}
