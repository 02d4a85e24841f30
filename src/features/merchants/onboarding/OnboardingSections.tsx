import { PdfLink } from '../../../blocks/legal/PdfLink.tsx'
import { HoursField } from '../../../blocks/merchants/HoursField.tsx'
import { UploadField } from '../../../blocks/uploads/UploadField.tsx'
import { presignOwn } from '../../../blocks/uploads/useUpload.ts'
import { agreementPdf } from '../../../contract/merchants/signup.ts'
import { isListedBank, SINGAPORE_BANKS } from '../../../domain/singaporeBanks.ts'
import { CheckboxField } from '../../../ui/form/CheckboxField.tsx'
import { FormSection } from '../../../ui/form/LongForm.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { NumberField } from '../../../ui/form/TextFieldVariants.tsx'
import type { FormApi } from '../../../ui/form/useForm.ts'
import { CategoryField } from './CategoryField.tsx'
import type { OnboardingValues } from './onboardingSchema.ts'

/** All fields of rule 5.6, in the order of `ONBOARDING_SECTIONS`. */
export function OnboardingSections({ form, owner }: { form: FormApi<OnboardingValues>; owner: string }) {
  return (
    <>
      <FormSection id="organisation" number={1} title="Organisation">
        <OrganisationFields form={form} />
      </FormSection>
      <FormSection id="product" number={2} title="Product or service">
        <CategoryField form={form} owner={owner} />
      </FormSection>
      <FormSection
        id="hours"
        number={3}
        title="Operating hours and days"
        note="Of your main outlet. Branches can set their own later."
      >
        <HoursField form={form} path="operating_hours" />
      </FormSection>
      <FormSection id="terminals" number={4} title="Branches and terminals">
        <TerminalFields form={form} />
      </FormSection>
      <FormSection id="contacts" number={5} title="Contacts">
        <ContactFields form={form} />
      </FormSection>
      <FormSection id="bank" number={6} title="Bank account" note="Where redeemed vouchers are paid to.">
        <BankFields form={form} />
      </FormSection>
      <FormSection
        id="agreement"
        number={7}
        title="Merchant agreement"
        note="Download it, sign it at its end, and upload it as one PDF."
      >
        <AgreementFields form={form} />
      </FormSection>
    </>
  )
}

function OrganisationFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <div className="cols">
      <TextField
        className="all"
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
    </div>
  )
}

function TerminalFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <div className="cols">
      <NumberField
        label="Number of branches in Singapore"
        hint="Outlets that will accept vouchers."
        {...form.field('branches_in_singapore')}
      />
      <NumberField label="Number of POS terminals" {...form.field('pos_terminals')} />
    </div>
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
    <fieldset className="group">
      <legend>Primary contact</legend>
      <div className="cols">
        <TextField label="Name" {...form.field('primary_contact.name')} />
        <TextField label="Designation" {...form.field('primary_contact.designation')} />
        <TextField label="Contact number" type="tel" {...form.field('primary_contact.contact_number')} />
        <TextField label="Email" type="email" {...form.field('primary_contact.email')} />
      </div>
    </fieldset>
  )
}

function FinancialContact({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <fieldset className="group">
      <legend>Financial contact</legend>
      <CheckboxField label="Same as primary contact" {...form.control('same_contact')} />
      {!form.values.same_contact && (
        <div className="cols">
          <TextField label="Name" {...form.field('financial_contact.name')} />
          <TextField label="Email" type="email" {...form.field('financial_contact.email')} />
        </div>
      )}
    </fieldset>
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
    <div className="cols">
      <TextField className="all" label="Account name" {...form.field('bank_account.account_name')} />
      <NumberField label="Account number" {...form.field('bank_account.account_number')} />
      <BankField form={form} />
      <NumberField label="Bank code" hint="4 digits" {...form.field('bank_account.bank_code')} />
      <NumberField label="Branch code" hint="3 digits" {...form.field('bank_account.branch_code')} />
    </div>
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
      <TextField className="all" label="Bank name" {...field} />
    </>
  )
}

function AgreementFields({ form }: { form: FormApi<OnboardingValues> }) {
  return (
    <>
      <div className="row">
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
