import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { APPLICANT_ROLES, type ApplicantRole } from '../../../contract/accounts/permissions.ts'
import { draftsOf } from '../../../offline/storage/drafts.ts'
import { auth } from '../../../state/auth.ts'

/** The draft of the application, with its brands and finished uploads. */
export const APPLICATION_DRAFT = 'register'

/** The draft of a brand whose dialog is open or was left unsaved. It is separate from the application until it is saved there. */
export const brandDraft = (brandId: string): string => `${APPLICATION_DRAFT}.brand.${brandId}`

export const NEW_BRAND = 'new'

/** Once the application is sent, unsaved drafts of its brands are of no use. */
export function forgetBrandDrafts(brandIds: readonly string[]): void {
  const drafts = draftsOf(auth.user?.guid)
  for (const id of [...brandIds, NEW_BRAND]) void drafts.remove(brandDraft(id)).catch(() => undefined)
}

interface StoredApplication {
  role: ApplicantRole
  savedAt: Date
  readAt: Date
}

const DraftWithRole = v.object({ role: v.picklist(APPLICANT_ROLES) })

/** The unfinished application on this device, if there is one. */
export function useStoredApplication(): StoredApplication | undefined {
  const [stored, setStored] = useState<StoredApplication>()
  useEffect(() => {
    void draftsOf(auth.user?.guid)
      .read(APPLICATION_DRAFT, DraftWithRole)
      .then((draft) => draft && setStored({ role: draft.values.role, savedAt: draft.savedAt, readAt: new Date() }))
  }, [])
  return stored
}
