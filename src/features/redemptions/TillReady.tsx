import { useId } from 'react'
import type { User } from '../../contract/accounts/user.ts'
import type { Till } from '../../contract/redemptions/counter.ts'
import { Button } from '../../ui/Button.tsx'
import { Exact } from '../../ui/Panel.tsx'
import { CounterFrame, CounterHeader, CounterQuestion, QuestionTitle } from './CounterHeader.tsx'
import { useScanRefusal } from './refuseScan.ts'

interface Props {
  /** The cashier, if one is logged in. */
  user?: User
  till: Till
  branch: string
  onDone: () => void
}

/** The last screen of the set-up. It stays until the cashier leaves it, so that the manager can read it, too. */
export function TillReady({ user, till, branch, onDone }: Props) {
  const id = useId()
  useScanRefusal('day')
  return (
    <CounterFrame>
      {user && <CounterHeader user={user} till={till.name} />}
      <CounterQuestion>
        <div className="grid w-[min(36rem,100%)] gap-6">
          <div id={id}>
            <QuestionTitle
              title={
                <>
                  <span>This device is now </span>
                  <Exact>{till.name}</Exact>
                </>
              }
              say={
                <>
                  <span>Branch: </span>
                  <Exact>{branch}</Exact>
                  <span>. Receipts show both names.</span>
                </>
              }
            />
          </div>
          <Button
            big
            variant="primary"
            aria-describedby={id}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this screen
            autoFocus
            onClick={onDone}
          >
            {user ? 'Go to the counter' : 'Log in as a cashier'}
          </Button>
        </div>
      </CounterQuestion>
    </CounterFrame>
  )
}
