import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { AnyCodeField, anyCode, reauthenticationFailure } from '../../blocks/accounts/mfa/CodeFields.tsx'
import { CurrentPasswordField } from '../../blocks/accounts/passwords/PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from '../../blocks/accounts/passwords/sealPassword.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { FormDialog } from '../../blocks/record/FormDialog.tsx'
import { runAction } from '../../blocks/record/recordActions.ts'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { currentPassword } from '../../contract/accounts/loginForms.ts'
import type { Branch } from '../../contract/branches.ts'
import { AllowanceRules, SUGGESTED_RULES } from '../../contract/redemptions/allowance.ts'
import {
  BranchAllowance,
  changeAllowance,
  readAllowance,
  stopAllowance,
} from '../../contract/redemptions/allowanceEndpoints.ts'
import { isMainAccount } from '../../domain/accounts/permissions.ts'
import { allowanceCost } from '../../domain/allowance.ts'
import { centsAsDecimal, centsFromText, formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { NumberField } from '../../ui/form/TextFieldVariants.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { type Fact, Facts, Panel, Stack } from '../../ui/Panel.tsx'

/**
 * Shows the rules by which the tills of a branch accept vouchers without a check (rule 9.26), the possible cost, and the
 * amount that is out now.
 */
export function AllowancePanel({ branch }: { branch: Branch }) {
  const { guid } = useUser()
  const read = useCachedRead(guid, `branch-allowance/${branch.guid}`, BranchAllowance, (signal) =>
    call(readAllowance, { params: { id: branch.guid }, signal }),
  )
  return (
    <Panel title="Vouchers without a connection">
      <RecordRead read={read} what="This allowance" inPanel>
        {(allowance) => <Allowance branch={branch} allowance={allowance} onChanged={read.retry} />}
      </RecordRead>
    </Panel>
  )
}

interface AllowanceProps {
  branch: Branch
  allowance: BranchAllowance
  /** Reads the allowance again. */
  onChanged: () => void
}

function Allowance({ branch, allowance, onChanged }: AllowanceProps) {
  const { rules, blocked, tills } = allowance
  const isMain = isMainAccount(useUser().type)
  const now = useCurrentMinute()
  return (
    <>
      <Stack padded>
        <p>{rules ? allowanceCost(rules) : OFF_TEXT}</p>
        {rules && blocked && (
          <Notice tone="warn">
            <p>{BLOCKED_REASONS[blocked]}</p>
          </Notice>
        )}
        {rules && (
          <p>
            Vouchers that were not paid are listed under <Link to="/reports/losses">Losses</Link>.
          </p>
        )}
        {isMain ? (
          <AllowanceActions branch={branch} allowance={allowance} onChanged={onChanged} />
        ) : (
          <p className="text-muted">Only the main account can change this.</p>
        )}
      </Stack>
      {(rules !== null || tills.length > 0) && (
        <div className="border-t border-border">
          <Facts facts={toFacts(allowance, now)} />
        </div>
      )}
    </>
  )
}

const OFF_TEXT = 'Off. Without a connection your tills take only vouchers that they checked before.'

const BLOCKED_REASONS = {
  'no key': 'The programme does not sign vouchers yet, so no till has a limit.',
  'branch PIN': 'Your vouchers are verified with the branch PIN. Nobody can check it offline, so no till has a limit.',
  'not open': 'This branch is not open, so no till has a limit.',
} as const

const NO_LIMIT_REASONS = {
  'not enrolled': 'no limit, because it is not enrolled',
  'count behind': 'no limit, because it lost its count. Revoke it, then enrol it again',
} as const

function toFacts({ rules, ...allowance }: BranchAllowance, now: Date): Fact[] {
  const { accepted_today_cents, tills } = allowance
  const outCents = tills.reduce((sum, { cents }) => sum + cents, 0)
  const lines = tills.flatMap(({ name, cents, ends_at, why }) => {
    const end = new Date(ends_at ?? now)
    const time = `${end > now ? 'until' : 'ended'} ${formatAsOf(end, now)}`
    const limit = cents > 0 ? `${name}: up to ${formatCents(cents)}, ${time}` : undefined
    return [limit, why && rules ? `${name}: ${NO_LIMIT_REASONS[why]}` : undefined].filter((line) => line !== undefined)
  })
  return [
    ...(rules ? [['Ends', `${pluralize(rules.hours, 'hour')} after a till last heard from the server`] as const] : []),
    ['Accepted today', formatCents(accepted_today_cents)],
    ['Out now', [outCents === 0 ? 'Nothing' : `Up to ${formatCents(outCents)} in all`, ...lines]],
  ]
}

function AllowanceActions({ branch, allowance, onChanged }: AllowanceProps) {
  const offline = useOffline()
  const [editing, setEditing] = useState(false)
  const stop = async () => {
    const run = () => call(stopAllowance, { params: { id: branch.guid } })
    if (await runAction({ question: stopQuestion(branch, allowance), run, done: STOPPED })) onChanged()
  }
  return (
    <Actions>
      <Button aria-disabled={offline || undefined} onClick={() => setEditing(true)}>
        {allowance.rules ? 'Change' : 'Set up'}
      </Button>
      {allowance.rules && (
        <Button variant="danger" aria-disabled={offline || undefined} onClick={() => void stop()}>
          Stop
        </Button>
      )}
      <NeedsConnection />
      {editing && (
        <AllowanceDialog
          branch={branch}
          onChanged={onChanged}
          rules={allowance.rules}
          onClose={() => setEditing(false)}
        />
      )}
    </Actions>
  )
}

const STOPPED = 'Tills get no new limits'

function stopQuestion({ name }: Branch, { tills }: BranchAllowance) {
  const last = tills
    .flatMap(({ ends_at }) => ends_at ?? [])
    .toSorted()
    .at(-1)
  const kept = last ? ` Tills that are offline keep theirs until ${formatAsOf(new Date(last), new Date())}.` : ''
  return {
    title: `Stop accepting without a check at ${name}?`,
    consequence: `No till gets a new limit.${kept} What they have accepted is uploaded as before.`,
    act: 'Stop',
    dismiss: 'Keep accepting',
    destructive: true,
  }
}

interface Props {
  branch: Branch
  /** The current rules; null if there are none. */
  rules: AllowanceRules | null
  onChanged: () => void
  onClose: () => void
}

/** Sets the rules for vouchers accepted without a check. Shows the possible cost, and asks for password and code. */
const AllowanceDialog = ({ branch, rules, onChanged, onClose }: Props) => (
  <FormDialog
    title={`Accept without a check at ${branch.name}`}
    act="Save limits"
    schema={RulesForm}
    initial={{ ...textsOf(rules ?? SUGGESTED_RULES), current_password: '', code: '' }}
    send={({ current_password, code, ...chosen }) =>
      retryOnExpiredKey(async () => {
        const body = { rules: chosen, encrypted_own_password: await sealPassword(current_password), code }
        return call(changeAllowance, { params: { id: branch.guid }, body })
      })
    }
    done={() => {
      onChanged()
      return `Limits of ${branch.name} saved`
    }}
    failed={(error) =>
      error instanceof ApiError && error.code === 'REAUTH_REQUIRED'
        ? { message: 'This needs a code of your authenticator app. Set one up in your profile first.' }
        : reauthenticationFailure(error)
    }
    onClose={onClose}
  >
    {({ field, values }) => (
      <>
        <p>
          Without a connection, an enrolled till takes signed vouchers up to these limits, at your own risk. Each
          voucher is checked when the connection is back.
        </p>
        <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
          <NumberField label="Limit per voucher ($)" {...field('voucher_cents')} />
          <NumberField label="Limit per till ($)" {...field('till_cents')} />
          <NumberField label="Limit per day ($)" {...field('day_cents')} />
          <NumberField label="Hours without the server" {...field('hours')} />
        </div>
        <Notice tone="warn" title="What it can cost">
          <p>{costOf(values)}</p>
        </Notice>
        <CurrentPasswordField label="Your own password" {...field('current_password')} />
        <AnyCodeField hint="From your authenticator app, or a recovery code." {...field('code')} />
      </>
    )}
  </FormDialog>
)

function costOf(typed: object): string {
  const chosen = v.safeParse(RulesFields, typed)
  return chosen.success ? allowanceCost(chosen.output) : 'Fill in the limits to see it.'
}

const dollars = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const cents = centsFromText(dataset.value)
    if (cents !== undefined) return cents
    addIssue({ message: 'must be an amount like 10 or 10.50' })
    return NEVER
  }),
)

const { voucher_cents, till_cents, day_cents, hours } = AllowanceRules.entries

const fields = {
  voucher_cents: v.pipe(dollars, voucher_cents),
  till_cents: v.pipe(dollars, till_cents),
  day_cents: v.pipe(dollars, day_cents),
  hours: v.pipe(v.string(), v.trim(), v.regex(/^\d{1,3}$/, 'must be a whole number'), v.transform(Number), hours),
}

const RulesFields = v.object(fields)

const RulesForm = v.object({ ...fields, current_password: currentPassword, code: anyCode })

const textsOf = (rules: AllowanceRules) => ({
  voucher_cents: dollarsText(rules.voucher_cents),
  till_cents: dollarsText(rules.till_cents),
  day_cents: dollarsText(rules.day_cents),
  hours: String(rules.hours),
})

const dollarsText = (cents: number) => centsAsDecimal(cents).replace(/\.00$/, '')
