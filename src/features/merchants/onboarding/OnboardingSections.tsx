import { PdfLink } from '../../../blocks/legal/PdfLink.tsx'
import { HoursField } from '../../../blocks/merchants/HoursField.tsx'
import { UploadField } from '../../../blocks/uploads/UploadField.tsx'
import { presignOwn } from '../../../blocks/uploads/useUpload.ts'
import { agreementPdf } from '../../../contract/merchants/signup.ts'
import { isListedBank, SINGAPORE_BANKS } from '../../../domain/merchants/singaporeBanks.ts'
import type { Elements } from '../../../ui/Elements.ts'
import { CheckboxField } from '../../../ui/form/CheckboxField.tsx'
import { FieldColumns, FieldGroup, FormSection } from '../../../ui/form/LongForm.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { NumberField } from '../../../ui/form/TextFieldVariants.tsx'
import type { FormApi } from '../../../ui/form/useForm.ts'
import { CategoryField } from './CategoryField.tsx'
import { ONBOARDING_SECTIONS } from './onboardingProgress.ts'
import type { OnboardingValues } from './onboardingSchema.ts'

/** All fields of rule 5.6, in the order of `ONBOARDING_SECTIONS`. */
export function OnboardingSections({ form, owner }: { form: FormApi<OnboardingValues>; owner: string }) {
  const fields: Record<SectionId, Elements> = {
    organisation: <OrganisationFields form={form} />,
    product: <CategoryField form={form} owner={owner} />,
    hours: <HoursField form={form} path="operating_hours" />,
    terminals: <TerminalFields form={form} />,
    contacts: <ContactFields form={form} />,
    bank: <BankFields form={form} />,
    agreement: <AgreementFields form={form} />,
  }
  return ONBOARDING_SECTIONS.map((section, index) => (
    <FormSection
      key={section.id}
      id={section.id}
      number={index + 1}
      title={section.id === 'hours' ? 'Operating hours and days' : section.title}
      note={NOTES[section.id]}
    >
      {fields[section.id]}
    </FormSection>
  ))
}

type SectionId = (typeof ONBOARDING_SECTIONS)[number]['id']

const NOTES: Partial<Record<SectionId, string>> = {
  hours: 'Of your main outlet. Branches can set their own later.',
  bank: 'Where redeemed vouchers are paid to.',
  agreement: 'Download it, sign it at its end, and upload it as one PDF.',
}

function OrganisationFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <FieldColumns>
      <TextField
        className="col-span-full"
        label="Organisation name per ACRA"
        autoComplete="organization"
        {...form.field('organisation_name')}
      />
      <TextField
        label="Company registration number (UEN)"
        hint="9 or 10 letters and digits"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.field('uen')}
      />
    </FieldColumns>
  )
}

function TerminalFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <FieldColumns>
      <NumberField
        label="Number of branches in Singapore"
        hint="Outlets that will accept vouchers."
        {...form.field('branches_in_singapore')}
      />
      <NumberField label="Number of POS terminals" {...form.field('pos_terminals')} />
    </FieldColumns>
  )
}

function ContactFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <>
      <PrimaryContact form={form} />
      <FinancialContact form={form} />
    </>
  )
}

function PrimaryContact({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <FieldGroup legend="Primary contact">
      <FieldColumns>
        <TextField label="Name" {...form.field('primary_contact.name')} />
        <TextField label="Designation" {...form.field('primary_contact.designation')} />
        <TextField label="Contact number" type="tel" {...form.field('primary_contact.contact_number')} />
        <TextField label="Email" type="email" {...form.field('primary_contact.email')} />
      </FieldColumns>
    </FieldGroup>
  )
}

function FinancialContact({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <FieldGroup legend="Financial contact">
      <CheckboxField label="Same as primary contact" {...form.control('same_contact')} />
      {!form.values.same_contact && (
        <FieldColumns>
          <TextField label="Name" {...form.field('financial_contact.name')} />
          <TextField label="Email" type="email" {...form.field('financial_contact.email')} />
        </FieldColumns>
      )}
    </FieldGroup>
  )
}

const OTHER_BANK = 'Other'

const BANK_OPTIONS = [
  { value: '', label: 'Choose a bank' },
  ...SINGAPORE_BANKS.map(({ name }) => ({ value: name, label: name })),
  { value: OTHER_BANK, label: OTHER_BANK },
]

function BankFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <FieldColumns>
      <TextField className="col-span-full" label="Account name" {...form.field('bank_account.account_name')} />
      <NumberField label="Account number" {...form.field('bank_account.account_number')} />
      <BankField form={form} />
      <NumberField label="Bank code" hint="4 digits" {...form.field('bank_account.bank_code')} />
      <NumberField
        label="Branch code"
        hint="3 digits, often the first of the account number"
        {...form.field('bank_account.branch_code')}
      />
    </FieldColumns>
  )
}

/** A bank from the list fills in its code. Any other bank is typed. */
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
      <TextField className="col-span-full" label="Bank name" {...field} />
    </>
  )
}

function AgreementFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <>
      <div className="flex items-center gap-2">
        <PdfLink of={agreementPdf}>Download the agreement</PdfLink>
      </div>
      <UploadField
        kind="merchant_agreement"
        label="Signed agreement"
        presign={presignOwn}
        {...form.control('merchant_agreement')}
      />
    </>
  )
}
