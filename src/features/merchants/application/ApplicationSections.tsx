import { FormSection } from '../../../ui/form/LongForm.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RadioField } from '../../../ui/form/RadioField.tsx'
import { TextArea } from '../../../ui/form/TextFieldVariants.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { FormApi } from '../../../ui/form/useForm.ts'
import type { ApplicationValues } from './applicationSchema.ts'
import { BrandsField } from './BrandsField.tsx'
import { TermsFields } from '../../register/TermsFields.tsx'

interface Props {
  form: FormApi<ApplicationValues>
  /** The person is about to be done. */
  onAccepting: () => void
}

const YES_NO = ['Yes', 'No'].map((value) => ({ value, label: value }))

export function ApplicationSections({ form, onAccepting }: Props) {
  const { field } = form
  return (
    <>
      <FormSection id="business" number={1} title="Business information">
        <div className="cols">
          <TextField
            className="all"
            label="Email"
            hint="You log in with it. The link to set your password goes there."
            type="email"
            autoComplete="email"
            {...field('email')}
          />
          <TextField
            className="all"
            label="Organisation name"
            autoComplete="organization"
            {...field('organisation_name')}
          />
          <TextField
            className="all"
            label="Website"
            labelEnd={<span className="muted">optional</span>}
            inputMode="url"
            autoComplete="url"
            {...field('website')}
          />
          <TextArea className="all" label="Office address" autoComplete="street-address" {...field('office_address')} />
          <TextField
            label="Postal code"
            hint="6 digits"
            inputMode="numeric"
            autoComplete="postal-code"
            {...field('postal_code')}
          />
        </div>
      </FormSection>
      <FormSection
        id="brands"
        number={2}
        title="Participating brands"
        note="Each brand that will accept vouchers, with its logo and a contact."
      >
        <BrandsField form={form} />
      </FormSection>
      <FormSection id="partnership" number={3} title="Partnership">
        <RadioField
          label="HPB partnership"
          hint="Does your organisation have a partnership with the Health Promotion Board?"
          options={YES_NO}
          {...field('hpb_partnership')}
        />
      </FormSection>
      <FormSection
        id="credit-terms"
        number={4}
        title="Credit terms"
        note="How many days after the end of a month redeemed vouchers are to be paid."
      >
        <div className="cols">
          <NumberField label="Credit terms in days" hint="0 to 365" {...field('credit_terms_days')} />
        </div>
      </FormSection>
      <FormSection id="terms" number={5} title="Terms and conditions">
        <TermsFields control={form.control('terms_accepted')} onAccepting={onAccepting} />
      </FormSection>
    </>
  )
}
