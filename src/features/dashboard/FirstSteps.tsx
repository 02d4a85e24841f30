import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { OnlineLink } from '../../blocks/connectivity/OnlineLink.tsx'
import type { Dashboard } from '../../contract/dashboard.ts'
import { Actions, buttonClass } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Item, Panel } from '../../ui/Panel.tsx'

/** Shows a new merchant the steps to the first redemption, ticked when done. Hidden after that redemption. */
export function FirstSteps({ taken }: { taken: Dashboard['first_steps'] }) {
  const { type } = useUser()
  if (taken.redemption) return null
  const steps = listSteps(type === 'Branch Merchant', taken)
  const done = steps.filter((step) => step.done).length
  const next = steps.findIndex((step) => !step.done)
  return (
    <Panel title={`First steps: ${done} of ${steps.length} done`}>
      <ol>
        {steps.map((step, at) => (
          <StepRow key={step.title} step={step} isNext={at === next} />
        ))}
      </ol>
    </Panel>
  )
}

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
      mark={<Icon drawing={done ? ICONS.ok : ICONS.todo} />}
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
  { branch_guid, pos_user, till, redemption }: Dashboard['first_steps'],
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
      text: `On the device at the counter, open ${location.host}${COUNTER_LOGIN_PATH}. Log in as the POS user and name the till.`,
      done: till,
      action: (
        <span className="-mx-2">
          <CopyButton what="the address" text={location.origin + COUNTER_LOGIN_PATH} />
        </span>
      ),
    },
    {
      title: 'Redeem the first voucher',
      text: 'At the counter, scan a customer’s voucher. Then these steps go away.',
      done: redemption,
    },
  ]
  return isBranchAccount ? others : [branch, ...others]
}

const COUNTER_LOGIN_PATH = '/login?as=pos'

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
