import { HoursField } from '../../../blocks/merchants/HoursField.tsx'
import { FormSection } from '../../../ui/form/LongForm.tsx'
import type { FormApi } from '../../../ui/form/useForm.ts'
import { AgreementFields } from '../../onboarding/AgreementFields.tsx'
import { BankFields } from '../../onboarding/BankFields.tsx'
import { CategoryField } from './CategoryField.tsx'
import { ContactFields } from '../../onboarding/ContactFields.tsx'
import type { OnboardingValues } from './onboardingSchema.ts'
import { OrganisationFields } from '../../onboarding/OrganisationFields.tsx'
import { TerminalFields } from '../../onboarding/TerminalFields.tsx'

/** Every question of spec §3, Onboarding, in the order of `ONBOARDING_SECTIONS`. */
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
      <FormSection id="agreement" number={7} title="Merchant agreement">
        <AgreementFields form={form} />
      </FormSection>
    </>
  )
}
