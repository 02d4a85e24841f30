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
