import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import type { OnboardingValues } from '../merchants/onboarding/onboardingSchema.ts'

export function ContactFields({ form }: { form: FormApi<OnboardingValues> }) {
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
