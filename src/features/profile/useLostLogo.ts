import { useEffect, useEffectEvent, useState } from 'react'
import type { DraftState } from '../../blocks/drafts/useDraft.ts'
import type { FormApi } from '../../ui/form/useForm.ts'
import type { OrganisationValues } from './organisationSchema.ts'

/** The server keeps an upload that nobody saved for an hour; a little less is promised here. */
const UPLOAD_STORED_MS = 55 * 60_000

/** Whether the draft that was put back had a new logo whose upload is gone: it is taken out of the form again. */
export function useExpiredLogo(form: FormApi<OrganisationValues>, draft: DraftState): boolean {
  const [isLost, setLost] = useState(false)
  const look = useEffectEvent(() => {
    const { logo } = form.values
    if (typeof logo === 'string' || Date.now() - logo.uploaded_at < UPLOAD_STORED_MS) return
    setLost(true)
    form.setValues({ logo: 'saved' })
  })
  useEffect(() => {
    if (draft.restoredFrom) look()
  }, [draft.restoredFrom])
  return isLost && form.values.logo === 'saved'
}
