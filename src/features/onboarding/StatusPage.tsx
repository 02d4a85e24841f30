import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { PlainFrame } from '../../blocks/PlainFrame.tsx'
import { signOut } from '../../blocks/signOut.ts'
import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { homeOf, isGated } from '../../domain/gate.ts'
import { auth } from '../../state/auth.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'

/**
 * Where a gated main merchant waits. Anybody else who comes here is shown where to go instead of an empty form (DESIGN §2).
 */
export function StatusPage({ title, line }: { title: string; line: string }) {
  usePageTitle(title)
  const { user } = useSnapshot(auth)
  const gated = user !== null && isGated(user)
  return (
    <PlainFrame>
      <div className="mx-auto grid max-w-form gap-4 px-4 py-12">
        <h1>{title}</h1>
        <p className="muted text-base">{gated ? line : elsewhere(user !== null)}</p>
        <div className="actions">
          {gated ? (
            <Button onClick={() => void signOut()}>Logout</Button>
          ) : (
            <Link to={homeOf(user ?? undefined)} className={buttonClass({ variant: 'primary' })}>
              {user ? 'Go to the start page' : 'Login'}
            </Link>
          )}
        </div>
      </div>
    </PlainFrame>
  )
}

const elsewhere = (known: boolean) =>
  known ? 'This account is past this step. There is nothing to do here.' : 'Log in to see how far your account is.'
