import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio/react'
import { AccountBadge } from '../../../blocks/accounts/AccountBadge.tsx'
import { PlainFrame } from '../../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { homeOf, isGated } from '../../../domain/gate.ts'
import { auth } from '../../../state/auth.ts'
import { Actions, buttonClass } from '../../../ui/Button.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'

interface StatusPageProps {
  title: string
  /** For a gated main merchant. Anybody else is shown where to go instead (rule 5.7). */
  children?: ReactNode
}

export function StatusPage({ title, children }: StatusPageProps) {
  usePageTitle(title)
  const { user } = useSnapshot(auth)
  const gated = user !== null && isGated(user)
  return (
    <PlainFrame>
      <Waiting>{gated ? children : <PastThisStep title={title} />}</Waiting>
    </PlainFrame>
  )
}

const Waiting = ({ role, children }: { role?: 'status'; children: ReactNode }) => (
  <div className="mx-auto grid max-w-form gap-6 px-4 py-12 *:data-page-head:mb-0" role={role}>
    {children}
  </div>
)

function PastThisStep({ title }: { title: string }) {
  const { user } = useSnapshot(auth)
  return (
    <>
      <h1>{title}</h1>
      <p className="text-muted text-base">
        {user
          ? 'This account is past this step. There is nothing to do here.'
          : 'Log in to see how far your account is.'}
      </p>
      <Actions>
        <Link to={homeOf(user ?? undefined)} className={buttonClass({ variant: 'primary' })}>
          {user ? 'Go to the start page' : 'Login'}
        </Link>
      </Actions>
    </>
  )
}

/** The account was authorised while this page was open. */
export function AuthorisedPage() {
  usePageTitle('Account authorised')
  return (
    <PlainFrame>
      <Waiting role="status">
        <PageHeader
          title="Your account is authorised"
          badge={<AccountBadge status="Active" />}
          note="The provider approved your onboarding. The whole portal is open to you now."
        />
        <Actions>
          <Link to="/dashboard" className={buttonClass({ variant: 'primary' })}>
            Go to the start page
          </Link>
        </Actions>
      </Waiting>
    </PlainFrame>
  )
}
