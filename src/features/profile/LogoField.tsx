import { useState, type MouseEvent } from 'react'
import { presignOwn } from '../../blocks/upload/presignOwn.ts'
import { UploadField } from '../../blocks/uploads/UploadField.tsx'
import { Button } from '../../ui/Button.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import { usableLogoUrl } from './freshLogo.ts'
import type { OrganisationProfile } from './organisationProfile.ts'
import type { OrganisationValues } from './organisationSchema.ts'
import { ORGANISATION_LABELS } from './organisationWords.ts'

interface LogoFieldProps {
  form: FormApi<OrganisationValues>
  profile: OrganisationProfile
  asOf: Date | undefined
}

/** A new logo, none, or the one that is saved. Taking a new one out again leaves the saved one. */
export function LogoField({ form, profile, asOf }: LogoFieldProps) {
  const { value, onChange, ...control } = form.control('logo')
  const [preview] = useState(() => usableLogoUrl(profile.logo_url, asOf))
  const upload = typeof value === 'string' ? null : value
  const showsSaved = profile.logo_url !== null && value === 'saved'
  const label = ORGANISATION_LABELS.logo
  const keep = (event: MouseEvent<HTMLButtonElement>) => {
    event.currentTarget.closest('fieldset')?.querySelector('button')?.focus()
    onChange('saved')
  }
  return (
    <UploadField
      kind="profile_logo"
      className="all"
      label={label}
      presign={presignOwn}
      {...control}
      value={upload}
      saved={showsSaved ? { name: label, preview } : undefined}
      onChange={(next) => onChange(next ? { ...next, uploaded_at: Date.now() } : upload ? 'saved' : 'removed')}
    >
      {value === 'removed' && (
        <p className="row" role="status">
          The logo is taken away when you save.
          <Button variant="quiet" onClick={keep}>
            Keep it
          </Button>
        </p>
      )}
    </UploadField>
  )
}
