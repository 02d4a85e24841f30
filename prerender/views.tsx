import { StrictMode, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { AppFrame } from '../src/features/shell/AppFrame.tsx'
import { LoginPage } from '../src/features/auth/LoginPage.tsx'
import { auth } from '../src/state/auth.ts'
import { shell } from '../src/state/shell.ts'
import { PageBones } from './PageBones.tsx'
import { standAt } from './routerStandIn.tsx'
import { SAID } from './said.ts'

export type Views = Record<'auth' | 'default', string>

/** The markup of `#first`, by layout. Each screen stands in a `data-view`; boot.js says which one a visitor sees. */
export function drawViews(): Views {
  return { auth: `${drawLogin('merchant')}${drawLogin('pos')}`, default: drawApp() }
}

const nothing = () => undefined

function drawLogin(kind: 'merchant' | 'pos') {
  standAt(kind === 'pos' ? '/login?as=pos' : '/login')
  shell.multiLoginMessage = SAID.notice
  const callbacks = { onSignedIn: nothing, onPasswordChanged: nothing, onLogin: nothing }
  return draw(kind, <LoginPage kind={kind} step={undefined} multiLogin passwordChanged={false} {...callbacks} />)
}

/** The frame of whoever sees most of it. What a type does not see boot.js takes away. */
function drawApp() {
  standAt('')
  auth.user = {
    type: 'HRP Merchant',
    status: 'Active',
    guid: '',
    login_name: '',
    organisation_name: SAID.account,
  } as unknown as typeof auth.user
  return draw(
    'app',
    <AppFrame>
      <PageBones />
    </AppFrame>,
  )
}

const draw = (view: string, screen: ReactNode) =>
  renderToStaticMarkup(
    <StrictMode>
      <div data-view={view}>{screen}</div>
    </StrictMode>,
    { identifierPrefix: `first-${view}-` },
  )
