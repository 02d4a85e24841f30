import { isListedBank, SINGAPORE_BANKS } from '../../domain/singaporeBanks.ts'
import { NumberField } from '../../ui/NumberField.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import type { OnboardingValues } from '../merchants/onboarding/onboardingSchema.ts'

const OTHER_BANK = 'Other'
const BANK_OPTIONS = [
  { value: '', label: 'Choose a bank' },
  ...SINGAPORE_BANKS.map(({ name }) => ({ value: name, label: name })),
  { value: OTHER_BANK, label: OTHER_BANK },
]

export function BankFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <div className="cols">
      <TextField className="all" label="Account name" {...form.field('bank_account.account_name')} />
      <NumberField label="Account number" {...form.field('bank_account.account_number')} />
      <BankField form={form} />
      <NumberField label="Bank code" hint="4 digits" {...form.field('bank_account.bank_code')} />
      <NumberField label="Branch code" hint="3 digits" {...form.field('bank_account.branch_code')} />
    </div>
  )
}

/** A bank of the list fills its code in; any other is typed. */
function BankField({ form }: { form: FormApi<OnboardingValues> }) {
  const field = form.field('bank_account.bank_name')
  const isOther = form.values.other_bank
  const choose = (chosen: string) => {
    const code = SINGAPORE_BANKS.find(({ name }) => name === chosen)?.code
    form.setValues({
      other_bank: chosen === OTHER_BANK,
      'bank_account.bank_name': isListedBank(chosen) ? chosen : '',
      ...(code === undefined ? {} : { 'bank_account.bank_code': code }),
    })
  }
  if (!isOther) return <SelectField label="Bank name" options={BANK_OPTIONS} {...field} onChange={choose} />
  return (
    <>
      <SelectField label="Bank" options={BANK_OPTIONS} value={OTHER_BANK} onChange={choose} />
      <TextField className="all" label="Bank name" {...field} />
    </>
  )
}
