import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { APPLICANT_ROLES, type ApplicantRole } from '../../../contract/accounts/permissions.ts'
import { draftsOf } from '../../../offline/storage/drafts.ts'
import { auth } from '../../../state/auth.ts'

/** The application, its brands and its finished uploads included. */
export const APPLICATION_DRAFT = 'register'

/** A brand whose dialog is open, or was left with something typed: beside the application, until it is saved there. */
export const brandDraft = (brandId: string): string => `${APPLICATION_DRAFT}.brand.${brandId}`

export const NEW_BRAND = 'new'

/** What was typed into dialogs and never saved ends with the application it was meant for. */
export function forgetBrandDrafts(brandIds: readonly string[]): void {
  const drafts = draftsOf(auth.user?.guid)
  for (const id of [...brandIds, NEW_BRAND]) void drafts.drop(brandDraft(id)).catch(() => undefined)
}

interface StoredApplication {
  role: ApplicantRole
  savedAt: Date
  readAt: Date
}

const DraftWithRole = v.object({ role: v.picklist(APPLICANT_ROLES) })

/** Which application lies half filled in on this device, if any. */
export function useStoredApplication(): StoredApplication | undefined {
  const [kept, setKept] = useState<StoredApplication>()
  useEffect(() => {
    void draftsOf(auth.user?.guid)
      .read(APPLICATION_DRAFT, DraftWithRole)
      .then((draft) => draft && setKept({ role: draft.values.role, savedAt: draft.savedAt, readAt: new Date() }))
  }, [])
  return kept
}
