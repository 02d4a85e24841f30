import { useProfile } from '../../blocks/accounts/useProfile.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { BranchFormFields } from './BranchFormSections.tsx'

export function FinancialContactFields({ form }: { form: BranchFormFields }) {
  const organisation = useOrganisationContact()
  return (
    <fieldset className="group">
      <legend className="hide">Financial contact</legend>
      {organisation && (
        <div>
          <Button variant="quiet" onClick={() => form.setValues(organisation)}>
            Use the organisation's contact
          </Button>
        </div>
      )}
      <div className="cols">
        <TextField label="Name" autoComplete="off" {...form.field('financial_contact.name')} />
        <TextField label="Email" type="email" autoComplete="off" {...form.field('financial_contact.email')} />
        <TextField
          label="Contact number"
          type="tel"
          autoComplete="off"
          {...form.field('financial_contact.contact_number')}
        />
      </div>
    </fieldset>
  )
}

/** Only who looks after the organisation has its contact as a profile, and only a whole one is worth offering. */
function useOrganisationContact() {
  const { type } = useUser()
  const { data } = useProfile()
  if (type !== 'HRP Merchant' && type !== 'ADHOC Merchant') return undefined
  if (!data?.contact_name || !data.contact_email || !data.contact_number) return undefined
  return {
    'financial_contact.name': data.contact_name,
    'financial_contact.email': data.contact_email,
    'financial_contact.contact_number': data.contact_number,
  }
}
