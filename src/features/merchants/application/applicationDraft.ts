import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { APPLICANT_ROLES, type ApplicantRole } from '../../../contract/accounts/permissions.ts'
import { draftsOf } from '../../../offline/storage/drafts.ts'
import { auth } from '../../../state/auth.ts'

/** The name of the application's draft, which includes its brands and finished uploads. */
export const APPLICATION_DRAFT = 'register'

/** Returns the name of a brand's own draft, which keeps what was typed in its dialog until the brand is saved in the application. */
export const brandDraft = (brandId: string): string => `${APPLICATION_DRAFT}.brand.${brandId}`

/** Stands for the id of a brand that is being added. */
export const NEW_BRAND = 'new'

/** Removes the unsaved drafts of the application's brands, which are useless after the application is sent. */
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

/** Returns the unfinished application on this device, if there is one. */
export function useStoredApplication(): StoredApplication | undefined {
  const [stored, setStored] = useState<StoredApplication>()
  useEffect(() => {
    void draftsOf(auth.user?.guid)
      .read(APPLICATION_DRAFT, DraftWithRole)
      .then((draft) => draft && setStored({ role: draft.values.role, savedAt: draft.savedAt, readAt: new Date() }))
  }, [])
  return stored
}
