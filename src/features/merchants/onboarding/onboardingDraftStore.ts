import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import type { DraftStore } from '../../../blocks/drafts/AccountDraft.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import {
  readOnboardingDraft,
  saveOnboardingDraft,
  type DraftValues,
} from '../../../contract/merchants/onboardingDraft.ts'
import { storeProfile } from '../../../state/auth.ts'

/** Keeps the draft of the onboarding in the account. */
export const onboardingDraftStore: DraftStore = {
  async read() {
    const draft = await call(readOnboardingDraft)
    return draft && { revision: draft.revision, savedAt: new Date(draft.saved_at), values: draft.values }
  },
  async save(revision, values) {
    try {
      const saved = await call(saveOnboardingDraft, { body: { revision, values: values as DraftValues | null } })
      return saved && { revision: saved.revision, savedAt: new Date(saved.saved_at) }
    } catch (error) {
      // Another device has submitted the onboarding. With the new status the portal shows the page about the review.
      if (error instanceof ApiError && error.code === 'INVALID_STATE') storeProfile(await call(myInfo))
      throw error
    }
  },
}
