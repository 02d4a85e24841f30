import { useId } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { AnyCodeField } from '../../blocks/accounts/mfa/CodeFields.tsx'
import { anyCode, reauthenticationFailure } from '../../blocks/accounts/mfa/reauthentication.ts'
import { CurrentPasswordField } from '../../blocks/accounts/passwords/PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from '../../blocks/accounts/passwords/sealPassword.ts'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../../blocks/record/FormDialogActions.tsx'
import { currentPassword } from '../../contract/accounts/loginForms.ts'
import type { Branch } from '../../contract/branches.ts'
import { AllowanceRules, SUGGESTED_RULES } from '../../contract/redemptions/allowance.ts'
import { changeAllowance } from '../../contract/redemptions/allowanceEndpoints.ts'
import { allowanceCost } from '../../domain/allowance.ts'
import { centsAsDecimal, centsFromText } from '../../domain/money.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { NumberField } from '../../ui/form/TextFieldVariants.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'

interface Props {
  branch: Branch
  /** As they are; null for none. */
  rules: AllowanceRules | null
  onChanged: () => void
  onClose: () => void
}

/** What the tills of a branch may accept without a check: chosen with what it can cost, confirmed with password and code. */
export function AllowanceDialog({ branch, rules, onChanged, onClose }: Props) {
  const id = useId()
  const form = useForm({
    schema: RulesForm,
    initial: { ...textsOf(rules ?? SUGGESTED_RULES), current_password: '', code: '' },
    submit: ({ current_password, code, ...chosen }) =>
      saveRules(branch.guid, chosen, current_password, code).then(saved, failed),
  })
  const saved = () => {
    showToast({ tone: 'success', text: `Limits of ${branch.name} saved` })
    onChanged()
    onClose()
  }
  const failed = (error: unknown) =>
    error instanceof ApiError && error.code === 'REAUTH_REQUIRED'
      ? { message: 'This needs a code of your authenticator app. Set one up in your profile first.' }
      : reauthenticationFailure(error)
  useUnsavedWork('branch-allowance', form.dirty)
  const chosen = v.safeParse(RulesFields, form.values)
  const actions = <FormDialogActions act="Save limits" {...{ id, form }} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={`Accept without a check at ${branch.name}`} holdsForm actions={actions}>
      <Form form={form} id={id}>
        <p>
          While the connection is away, an enrolled till takes signed vouchers up to these limits, at your own risk.
          Each is checked when the connection is back.
        </p>
        <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
          <NumberField label="Most for one voucher ($)" {...form.field('voucher_cents')} />
          <NumberField label="Most at one till ($)" {...form.field('till_cents')} />
          <NumberField label="Most in a day ($)" {...form.field('day_cents')} />
          <NumberField label="Hours without the server" {...form.field('hours')} />
        </div>
        <Notice tone="warn" title="What it can cost">
          <p>{chosen.success ? allowanceCost(chosen.output) : 'Fill in the limits to see it.'}</p>
        </Notice>
        <CurrentPasswordField label="Your own password" {...form.field('current_password')} />
        <AnyCodeField hint="From your authenticator app, or a recovery code." {...form.field('code')} />
      </Form>
    </Dialog>
  )
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

/** Throws ApiError: REAUTH_REQUIRED, WRONG_PASSWORD, MFA_CODE_WRONG, TOO_MANY_ATTEMPTS. */
const saveRules = (id: string, rules: AllowanceRules, password: string, code: string) =>
  retryOnExpiredKey(async () => {
    const body = { rules, encrypted_own_password: await sealPassword(password), code }
    return call(changeAllowance, { params: { id }, body })
  })
