import * as v from 'valibot'
import { Upload } from '../../../blocks/uploads/Upload.ts'
import { Brand, CONTACT_EMAIL_TAKEN, OUTLET_TYPES } from '../../../contract/merchants/application.ts'
import { MESSAGES, numberFromText, emptyAsNull, webAddress } from '../../../contract/fieldSchemas.ts'
import { LIMITS } from '../../../contract/limits.ts'

const [ALL] = OUTLET_TYPES

const splitLines = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** What is wrong with the list, given the choice that asks for it. */
function outletFault(brand: { outlet_type: string; non_participating_outlets: string }): string | undefined {
  if (brand.outlet_type === ALL) return undefined
  const listed = splitLines(brand.non_participating_outlets)
  if (listed.length === 0) return MESSAGES.required
  if (listed.length > LIMITS.outlets) return `must be ${LIMITS.outlets} lines at most`
  const isLong = listed.some((name) => name.length > LIMITS.nameLength)
  return isLong ? MESSAGES.max(LIMITS.nameLength) : undefined
}

interface BrandContext {
  /** Contact e-mails of the application's other brands. */
  otherEmails: readonly string[]
  /** Without a line a logo cannot be uploaded: the brand is kept without it, and the application waits for it. */
  logoLater: boolean
}

/** What the dialog checks: the contract's own rules, on what was typed. */
export function brandSchema({ otherEmails, logoLater }: BrandContext) {
  const taken = new Set(otherEmails.map((email) => email.trim().toLowerCase()))
  const { entries } = Brand
  return v.pipe(
    v.strictObject({
      ...entries,
      website: emptyAsNull(webAddress),
      logo: v.pipe(
        v.nullable(Upload),
        v.check((logo) => logoLater || logo !== null, MESSAGES.required),
      ),
      outlet_type: v.pipe(v.string(), entries.outlet_type),
      /** One per line. */
      non_participating_outlets: v.string(),
      industry_type: v.pipe(v.string(), entries.industry_type),
      outlets_participating: numberFromText(entries.outlets_participating),
      contact_email: v.pipe(
        entries.contact_email,
        v.check((email) => !taken.has(email), CONTACT_EMAIL_TAKEN),
      ),
    }),
    v.forward(
      v.partialCheck(
        [['outlet_type'], ['non_participating_outlets']],
        (brand) => outletFault(brand) === undefined,
        ({ input }) => outletFault(input) ?? '',
      ),
      ['non_participating_outlets'],
    ),
    v.transform(({ non_participating_outlets: typed, ...brand }) => ({
      ...brand,
      non_participating_outlets: brand.outlet_type === ALL ? [] : splitLines(typed),
    })),
  )
}

/** A brand as it is typed. */
export type BrandValues = v.InferInput<ReturnType<typeof brandSchema>>

/** In the order of the dialog, in which its errors are listed too. */
export const EMPTY_BRAND: BrandValues = {
  name: '',
  website: '',
  logo: null,
  industry_type: '',
  outlet_type: OUTLET_TYPES[0],
  non_participating_outlets: '',
  outlets_participating: '',
  terminal_types: [],
  contact_name: '',
  contact_designation: '',
  contact_number: '',
  contact_email: '',
}
