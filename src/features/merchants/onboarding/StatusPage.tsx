import { Link } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../../api/call.ts'
import { AccountBadge } from '../../../blocks/accounts/AccountBadge.tsx'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { PlainFrame } from '../../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import { homeOf, isGated } from '../../../domain/gate.ts'
import { auth, profileRead } from '../../../state/auth.ts'
import { Actions, buttonClass } from '../../../ui/Button.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useReturnToPage } from '../../../ui/usePageVisible.ts'

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

/** A main merchant that comes here before it has submitted anything, or with an answer to act on. */
export const NothingSubmittedPage = () => (
  <StatusPage title="Onboarding">
    <NothingSubmitted />
  </StatusPage>
)

function NothingSubmitted() {
  const { status } = useUser()
  const isRejected = status === 'Authorisation Rejected'
  return (
    <>
      <PageHeader
        title={isRejected ? 'Your onboarding needs changes' : 'Nothing is submitted yet'}
        badge={<AccountBadge status={status} />}
        note={
          isRejected
            ? 'The provider has reviewed it. The onboarding says what to change; then submit it again.'
            : 'The provider reviews your onboarding once you have filled it in and submitted it.'
        }
      />
      <Actions>
        <Link to="/onboarding" className={buttonClass({ variant: 'primary' })}>
          Go to the onboarding
        </Link>
      </Actions>
    </>
  )
}

function PastThisStep({ title }: { title: string }) {
  const { user } = useSnapshot(auth)
  const account = user?.type === 'HRP Merchant' ? 'This account is past this step.' : 'This account has no onboarding.'
  return (
    <>
      <h1>{title}</h1>
      <p className="text-muted text-base">
        {user ? `${account} There is nothing to do here.` : 'Log in to see how far your account is.'}
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

/**
 * How the review of this account stands; undefined for anybody who does not wait for one: a visitor, an Active account. `sent back`:
 * while this page was open.
 */
export function useReviewOutcome(): 'waiting' | 'authorised' | 'sent back' | 'nothing submitted' | undefined {
  useStatusPolling()
  const { user } = useSnapshot(auth)
  const gated = user !== null && isGated(user)
  // Tells a decision that was made while the page was open from a visit by mistake.
  const [sawGate] = useState(gated)
  const [sawReview] = useState(user?.status === 'Pending Authorisation')
  if (!user) return undefined
  if (!gated) return sawGate ? 'authorised' : undefined
  if (user.status === 'Pending Authorisation') return 'waiting'
  return sawReview ? 'sent back' : 'nothing submitted'
}

let asked = 0
let answered = 0

/** Reads how the review stands, on a person's word. Throws ApiError. */
export async function readStatus(): Promise<void> {
  const turn = (asked += 1)
  const profile = await call(myInfo)
  // One that was asked before and is answered after another would take the decision back from the screen.
  if (turn < answered) return
  answered = turn
  profileRead(profile)
}

function ask() {
  if (document.visibilityState === 'visible') readStatus().catch(() => undefined)
}

const POLL_STATUS_EVERY_MS = 60_000

/**
 * While somebody waits for a decision, reads the profile when they come back to the page, and every minute while it is in view.
 * These calls are not a person's actions, so they do not keep the session alive.
 */
function useStatusPolling(): void {
  useEffect(() => {
    ask()
    const timer = setInterval(ask, POLL_STATUS_EVERY_MS)
    addEventListener('focus', ask)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', ask)
    }
  }, [])
  useReturnToPage(ask)
}
