import { baseUrl } from '../../api/baseUrl.ts'
import { termsPdf } from '../../contract/merchants/signup.ts'
import { TERMS_VERSION } from '../../contract/terms.ts'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import type { FormControl } from '../../ui/form/useForm.ts'

interface TermsFieldsProps {
  control: FormControl<string>
  onAccepting: () => void
}

const LEGAL_PAGES = [
  ['/terms-and-conditions', 'Terms and conditions'],
  ['/terms-of-use', 'Terms of use'],
  ['/voucher-management-guidelines', 'Voucher management guidelines'],
] as const

/** The pages open beside this one: nothing that was typed is left for them. */
export function TermsFields({ control: { value, onChange, ...control }, onAccepting }: TermsFieldsProps) {
  return (
    <>
      <ul className="links">
        {LEGAL_PAGES.map(([path, title]) => (
          <li key={path}>
            <a href={path} target="_blank" rel="noopener">
              {title}
              <span className="muted"> (new tab)</span>
            </a>
          </li>
        ))}
        <li>
          <a href={baseUrl(termsPdf.base) + termsPdf.path} download>
            Terms and conditions as PDF
          </a>
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
