import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { OnlineLink } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { AddDeviceDialog } from '../../blocks/devices/AddDeviceDialog.tsx'
import type { Dashboard } from '../../contract/dashboard.ts'
import { Actions, Button, buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Item, Panel } from '../../ui/Panel.tsx'

/** Shows a new merchant the steps to the first practice voucher, ticked when done. Hidden after the first redemption. */
export function FirstSteps({ taken, onTaken }: { taken: Dashboard['first_steps']; onTaken: () => void }) {
  const { type } = useUser()
  const [addsTill, setAddsTill] = useState(false)
  const offline = useOffline()
  if (taken.redemption) return null
  const isBranchAccount = type === 'Branch Merchant'
  const addTill = (
    <Button variant="primary" icon={ICONS.plus} aria-disabled={offline || undefined} onClick={() => setAddsTill(true)}>
      Add a till
    </Button>
  )
  const steps = listSteps(isBranchAccount, taken, addTill)
  const done = steps.filter((step) => step.done).length
  const next = steps.findIndex((step) => !step.done)
  return (
    <Panel
      title={`First steps: ${done} of ${steps.length} done`}
      action={<Ring part={done / steps.length} />}
      className="[--border:var(--stub-border)] [--surface:var(--stub-surface)]"
    >
      <ol>
        {steps.map((step, at) => (
          <StepRow key={step.title} step={step} isNext={at === next} />
        ))}
      </ol>
      {next === -1 && (
        <p className="border-t border-border p-4">You are ready. Scan a customer’s voucher at the counter.</p>
      )}
      {addsTill && (
        <AddDeviceDialog
          {...(taken.branch_guid === null ? {} : { branch: taken.branch_guid })}
          onEnrolled={onTaken}
          onClose={() => setAddsTill(false)}
        />
      )}
    </Panel>
  )
}

const RADIUS = 9
const AROUND = 2 * Math.PI * RADIUS

/** A ring that closes with the last step. The title says the same in words. */
const Ring = ({ part }: { part: number }) => (
  <svg className="size-8 -rotate-90 fill-none stroke-3" viewBox="0 0 24 24" aria-hidden="true">
    <circle className="stroke-border" cx="12" cy="12" r={RADIUS} />
    <circle className="stroke-approve" cx="12" cy="12" r={RADIUS} strokeDasharray={`${AROUND * part} ${AROUND}`} />
  </svg>
)

interface Step {
  title: string
  text: string
  done: boolean
  /** Shown while this is the next step. */
  action?: ReactNode
}

function StepRow({ step: { title, text, done, action }, isNext }: { step: Step; isNext: boolean }) {
  return (
    <Item
      aria-current={isNext ? 'step' : undefined}
      mark={<Icon drawing={done ? ICONS.ok : ICONS.todo} className="text-stub-text" />}
      action={isNext && <Actions className="phone:col-start-2 phone:-col-end-1">{action}</Actions>}
    >
      <b className="font-strong">
        <span>{title}</span>
        <span className="sr-only">{done ? ', done' : ', not done yet'}</span>
      </b>
      {!done && <p className="text-muted">{text}</p>}
    </Item>
  )
}

/** Returns the steps. A branch account needs no step for creating a branch. */
function listSteps(
  isBranchAccount: boolean,
  { branch_guid, pos_user, till, practice }: Dashboard['first_steps'],
  addTill: ReactNode,
): Step[] {
  const branch: Step = {
    title: 'Create a branch',
    text: 'Vouchers are redeemed at branches.',
    done: branch_guid !== null,
    action: (
      <OnlineLink to="/branches/$type" params={{ type: 'create' }} icon={ICONS.plus} variant="primary">
        Create branch
      </OnlineLink>
    ),
  }
  const others: Step[] = [
    {
      title: 'Create a POS user',
      text: 'Cashiers log in with it at the counter. Each belongs to one branch.',
      done: pos_user,
      action: <PosUsersLink branch={isBranchAccount ? null : branch_guid} />,
    },
    {
      title: 'Set up a till',
      text: 'The tablet or phone at your counter scans a QR code, and is your till.',
      done: till,
      action: addTill,
    },
    {
      title: 'Redeem a practice voucher',
      text: 'See what your cashiers see. Nothing is redeemed.',
      done: practice,
      action: (
        <Link to="/practise" className={buttonClass({ variant: 'primary' })}>
          Practise
        </Link>
      ),
    },
  ]
  return isBranchAccount ? others : [branch, ...others]
}

/** Links to the page that creates the first POS user: of a branch, or for a branch account its own profile. */
function PosUsersLink({ branch }: { branch: string | null }) {
  const className = buttonClass({ variant: 'primary' })
  if (branch === null) {
    return (
      <Link to="/profile" className={className}>
        Go to POS users
      </Link>
    )
  }
  return (
    <Link to="/branches/$type/$id" params={{ type: branch, id: 'view' }} search={{ tab: 'pos' }} className={className}>
      Go to POS users
    </Link>
  )
}
