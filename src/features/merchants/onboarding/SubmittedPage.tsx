import { Link, Navigate } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { signOut } from '../../../blocks/accounts/signOut.ts'
import { auth } from '../../../state/auth.ts'
import { Actions, Button, buttonClass } from '../../../ui/Button.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { AuthorisedPage, NothingSubmittedPage, StatusPage, useReviewOutcome } from './StatusPage.tsx'

/** Right after the submission: what happens next, and where the answer will be sent. */
export function SubmittedPage() {
  const outcome = useReviewOutcome()
  if (outcome === 'authorised') return <AuthorisedPage />
  if (outcome === 'sent back') return <Navigate to="/onboarding" replace />
  if (outcome === 'nothing submitted') return <NothingSubmittedPage />
  return (
    <StatusPage title="Onboarding submitted">
      <Submitted />
    </StatusPage>
  )
}

function Submitted() {
  const { user } = useSnapshot(auth)
  return (
    <>
      <PageHeader
        title="Onboarding submitted"
        note="The provider has it now. What you typed is no longer kept as a draft."
      />
      <section className="grid gap-4">
        <h2>What happens next</h2>
        <ol className="grid list-decimal gap-2 pl-5">
          <li>The provider reviews what you submitted. You cannot change it meanwhile.</li>
          <li>
            The answer comes by email to <b className="font-strong">{user?.login_name}</b>.
          </li>
          <li>Once the account is authorised, log in to start. If something needs changing, the email says what.</li>
        </ol>
      </section>
      <Actions>
        <Link to="/pending-authorisation" className={buttonClass({ variant: 'primary' })}>
          See the status
        </Link>
        <Button onClick={() => void signOut()}>Logout</Button>
      </Actions>
    </>
  )
}
