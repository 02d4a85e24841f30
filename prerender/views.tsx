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
import { PLACEHOLDERS } from './inertMarkup.ts'
import { setAddress } from './routerStandIn.tsx'

export type Views = Record<'auth' | 'default', string>

/** The markup of `#first`, by layout. Each screen stands in a `data-view`; boot.ts says which one a visitor sees. */
export function drawViews(): Views {
  return { auth: `${drawLogin('merchant')}${drawLogin('pos')}`, default: drawApp() }
}

const nothing = () => undefined

/** A button can be pressed before the app is there; boot.ts shows then that it waits. */
const WAITING = renderToStaticMarkup(<BusySlot />).replace('<span', '<span hidden=""')

function drawLogin(kind: 'merchant' | 'pos') {
  setAddress(kind === 'pos' ? '/login?as=pos' : '/login')
  shell.multiLoginMessage = PLACEHOLDERS.notice
  const callbacks = { onLoggedIn: nothing, onPasswordChanged: nothing, onLogin: nothing }
  const login = <LoginPage kind={kind} step={undefined} multiLogin passwordChanged={false} {...callbacks} />
  return draw(kind, login).replace(/<button type="submit"[^>]*>/, `$&${WAITING}`)
}

/** The frame of whoever sees most of it. What a type does not see boot.ts takes away. */
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

/** The page that is on its way: in the shape that most of them have, a title and a table. */
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
