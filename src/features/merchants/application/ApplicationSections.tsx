import { PdfLink } from '../../../blocks/legal/PdfLink.tsx'
import { TERMS_VERSION } from '../../../contract/merchants/application.ts'
import { termsPdf } from '../../../contract/merchants/signup.ts'
import { CheckboxField } from '../../../ui/form/CheckboxField.tsx'
import { FieldColumns, FormSection } from '../../../ui/form/LongForm.tsx'
import { RadioField } from '../../../ui/form/RadioField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { NumberField, TextArea } from '../../../ui/form/TextFieldVariants.tsx'
import type { FormApi, FormControl } from '../../../ui/form/useForm.ts'
import type { ApplicationValues } from './applicationSchema.ts'
import { BrandsField } from './BrandsField.tsx'

interface Props {
  form: FormApi<ApplicationValues>
  /** Called when the person accepts the terms, and so will submit soon. */
  onAccepting: () => void
}

const YES_NO = ['Yes', 'No'].map((value) => ({ value, label: value }))

export function ApplicationSections({ form, onAccepting }: Props) {
  const { field } = form
  return (
    <>
      <FormSection id="business" number={1} title="Business information">
        <FieldColumns>
          <TextField
            className="col-span-full"
            label="Email"
            hint="You log in with this email. We send the link to set your password there."
            type="email"
            autoComplete="email"
            {...field('email')}
          />
          <TextField
            className="col-span-full"
            label="Organisation name"
            autoComplete="organization"
            {...field('organisation_name')}
          />
          <TextField
            className="col-span-full"
            label="Website"
            labelEnd={<span className="text-muted">optional</span>}
            inputMode="url"
            autoComplete="url"
            {...field('website')}
          />
          <TextArea
            className="col-span-full"
            label="Office address"
            autoComplete="street-address"
            {...field('office_address')}
          />
          <TextField
            label="Postal code"
            hint="6 digits"
            inputMode="numeric"
            autoComplete="postal-code"
            {...field('postal_code')}
          />
        </FieldColumns>
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
        <FieldColumns>
          <NumberField label="Credit terms in days" hint="0 to 365" {...field('credit_terms_days')} />
        </FieldColumns>
      </FormSection>
      <FormSection id="terms" number={5} title="Terms and conditions">
        <TermsFields control={form.control('terms_accepted')} onAccepting={onAccepting} />
      </FormSection>
    </>
  )
}

interface TermsFieldsProps {
  control: FormControl<string>
  onAccepting: () => void
}

const LEGAL_PAGES = [
  ['/terms-and-conditions', 'Terms and conditions'],
  ['/terms-of-use', 'Terms of use'],
  ['/voucher-management-guidelines', 'Voucher management guidelines'],
] as const

/** Links to the legal pages, and the checkbox. The pages open in new tabs, so that the form stays open. */
function TermsFields({ control: { value, onChange, ...control }, onAccepting }: TermsFieldsProps) {
  return (
    <>
      <ul>
        {LEGAL_PAGES.map(([path, title]) => (
          <li key={path}>
            <a className="inline-block py-0.5" href={path} target="_blank" rel="noopener">
              <span>{title}</span>
              <span className="text-muted"> (new tab)</span>
            </a>
          </li>
        ))}
        <li>
          <PdfLink of={termsPdf} plain>
            Terms and conditions as PDF
          </PdfLink>
        </li>
      </ul>
      <CheckboxField
        {...control}
        label="I accept the Terms and Conditions, the Terms of Use and the Voucher Management Guidelines"
        value={value === TERMS_VERSION}
        onChange={(accepted) => {
          if (accepted) onAccepting()
          onChange(accepted ? TERMS_VERSION : '')
        }}
      />
    </>
  )
}
