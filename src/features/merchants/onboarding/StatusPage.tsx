import { Link, Navigate } from '@tanstack/react-router'
import { use, useEffect, useState, type ReactNode } from 'react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { AccountBadge } from '../../../blocks/accounts/AccountBadge.tsx'
import { logOut } from '../../../blocks/accounts/logOut.ts'
import { UserContext, useUser } from '../../../blocks/accounts/useUser.ts'
import { NeedsConnection } from '../../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { PlainFrame } from '../../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import { OnboardingRecord, readOnboarding } from '../../../contract/merchants/onboarding.ts'
import { homeOf, isGated } from '../../../domain/gate.ts'
import { formatInstant, formatTime } from '../../../domain/singaporeTime.ts'
import { useCachedRead } from '../../../offline/reads/useCachedRead.ts'
import { storeProfile } from '../../../state/auth.ts'
import { Actions, Button, buttonClass } from '../../../ui/Button.tsx'
import { DRAWINGS } from '../../../ui/drawings.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Box, Facts } from '../../../ui/Panel.tsx'
import { useReturnToPage } from '../../../ui/usePageVisible.ts'

/** Shown right after the submission: what happens next, and where the answer will be sent. */
export const SubmittedPage = () => (
  <ReviewPage title="Onboarding submitted">
    <Submitted />
  </ReviewPage>
)

/** Shown while a main merchant waits for the provider's decision. The decision appears automatically. */
export const PendingPage = () => (
  <ReviewPage title="Onboarding in review">
    <Pending />
  </ReviewPage>
)

/** Shows `children` while the provider reviews, then the decision. */
function ReviewPage({ title, children }: { title: string; children: ReactNode }) {
  const user = use(UserContext)
  useStatusPolling()
  const gated = user !== null && isGated(user)
  // Only a person who saw this page before the decision is told about it. Others came here by mistake.
  const [sawGate] = useState(gated)
  const [sawReview] = useState(user?.status === 'Pending Authorisation')
  if (user && !gated && sawGate) return <AuthorisedPage />
  if (!gated || user.status === 'Pending Authorisation') return <StatusPage title={title}>{children}</StatusPage>
  if (sawReview) return <Navigate to="/onboarding" replace />
  return (
    <StatusPage title="Onboarding">
      <NothingSubmitted />
    </StatusPage>
  )
}

function Submitted() {
  const { login_name } = useUser()
  return (
    <>
      {DRAWINGS.submitted}
      <PageHeader title="Onboarding submitted" note="We have received your onboarding." />
      <section className="grid gap-4">
        <h2>What happens next</h2>
        <ol className="grid list-decimal gap-2 pl-5">
          <li>
            We have confirmed this by email to{' '}
            <b className="font-strong" translate="no">
              {login_name}
            </b>
            .
          </li>
          <li>
            The provider reads what you submitted, and emails the answer to the same address. How long that takes is not
            fixed.
          </li>
          <li>You cannot change your answers meanwhile.</li>
          <li>Once the account is authorised, log in to start. If something needs changing, the email says what.</li>
        </ol>
      </section>
      <Actions>
        <Link to="/pending-authorisation" className={buttonClass({ variant: 'primary' })}>
          See the status
        </Link>
        <Button onClick={() => void logOut()}>Logout</Button>
      </Actions>
    </>
  )
}

function Pending() {
  const user = useUser()
  const id = user.organisation_guid
  const { data } = useCachedRead(user.guid, `onboarding/${id}`, OnboardingRecord, (signal) =>
    call(readOnboarding, { params: { id }, signal }),
  )
  return (
    <>
      <PageHeader
        title="Onboarding in review"
        badge={<AccountBadge status={user.status} />}
        note="This page checks for the decision every minute."
      />
      <Box role="region" aria-label="Your onboarding">
        <Facts
          facts={[
            ['Organisation', data?.onboarding?.organisation_name ?? user.organisation_name],
            ['Submitted', data?.submitted_at ? formatInstant(new Date(data.submitted_at)) : '–'],
            ['Answer by email to', user.login_name],
          ]}
        />
      </Box>
      <Actions>
        <CheckNow />
        <Button onClick={() => void logOut()}>Logout</Button>
      </Actions>
    </>
  )
}

/** Checks for a decision and says when it checked. Without this text, the button would seem to do nothing. */
function CheckNow() {
  const offline = useOffline()
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState('')
  const check = async () => {
    setBusy(true)
    const found = await readStatus().then(
      () => `No decision yet, as of ${formatTime(new Date())}.`,
      (error: unknown) => (error instanceof ApiError ? error.statusMessage : 'Please try again.'),
    )
    setResult(found)
    setBusy(false)
  }
  return (
    <>
      <Button icon={ICONS.refresh} busy={busy} aria-disabled={offline || undefined} onClick={() => void check()}>
        Check now
      </Button>
      <NeedsConnection />
      <span className="text-muted self-center" role="status">
        {result}
      </span>
    </>
  )
}

interface StatusPageProps {
  title: string
  /** Shown to a gated main merchant. Any other visitor is told where to go instead (rule 5.7). */
  children?: ReactNode
}

export function StatusPage({ title, children }: StatusPageProps) {
  usePageTitle(title)
  const user = use(UserContext)
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

/** Shown to a main merchant that has submitted nothing, or whose onboarding was rejected. */
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
  const user = use(UserContext)
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

/** Shown if the account is authorised while this page is open. */
function AuthorisedPage() {
  usePageTitle('Account authorised')
  return (
    <PlainFrame>
      <Waiting role="status">
        {DRAWINGS.approved}
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

let lastRequest = 0
let lastAnswered = 0

/** Reads the state of the review when the person asks. Throws ApiError. */
async function readStatus(): Promise<void> {
  const request = (lastRequest += 1)
  const profile = await call(myInfo)
  // The answer to an older request is ignored. It could remove the decision from the screen.
  if (request < lastAnswered) return
  lastAnswered = request
  storeProfile(profile)
}

function pollStatus() {
  if (document.visibilityState === 'visible') readStatus().catch(() => undefined)
}

const POLL_STATUS_EVERY_MS = 60_000

/**
 * Reads the profile every minute while the page is in view, and when the person comes back to it. These calls are not
 * actions of a person, so they do not keep the session alive.
 */
function useStatusPolling(): void {
  useEffect(() => {
    pollStatus()
    const timer = setInterval(pollStatus, POLL_STATUS_EVERY_MS)
    addEventListener('focus', pollStatus)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', pollStatus)
    }
  }, [])
  useReturnToPage(pollStatus)
}
