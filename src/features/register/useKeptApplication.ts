import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { APPLICANT_ROLES, type ApplicantRole } from '../../contract/merchants/application.ts'
import { draftsOf } from '../../offline/storage/drafts.ts'
import { auth } from '../../state/auth.ts'
import { APPLICATION_DRAFT } from '../merchants/application/applicationDraft.ts'

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
