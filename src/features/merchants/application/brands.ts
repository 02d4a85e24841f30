import * as v from 'valibot'
import { Upload } from '../../../blocks/uploads/Upload.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { Brand, CONTACT_EMAIL_TAKEN, OUTLET_TYPES } from '../../../contract/merchants/application.ts'
import { emptyAsNull, numberFromText, webAddress } from '../../../contract/merchants/merchantFields.ts'
import { MESSAGES } from '../../../contract/wireFields.ts'
import { errorSentence } from '../../../ui/form/formErrors.ts'

interface BrandContext {
  /** Contact emails of the application's other brands. */
  otherEmails: readonly string[]
  /** True offline, when a logo cannot be uploaded. The brand is then saved without one, and needs it before the application is sent. */
  logoLater: boolean
}

/** Checks what was typed in the dialog by the rules of the contract. */
export function brandSchema({ otherEmails, logoLater }: BrandContext) {
  const used = new Set(otherEmails.map((email) => email.trim().toLowerCase()))
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
      /** One outlet per line. */
      non_participating_outlets: v.string(),
      industry_type: v.pipe(v.string(), entries.industry_type),
      outlets_participating: numberFromText(entries.outlets_participating),
      contact_email: v.pipe(
        entries.contact_email,
        v.check((email) => !used.has(email), CONTACT_EMAIL_TAKEN),
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
      non_participating_outlets: brand.outlet_type === ALL_OUTLETS ? [] : splitLines(typed),
    })),
  )
}

/** A brand as it is typed. */
export type BrandValues = v.InferInput<ReturnType<typeof brandSchema>>

const [ALL_OUTLETS] = OUTLET_TYPES

const splitLines = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Returns the error in the list of outlets; undefined if the list is correct or not needed. */
function outletFault(brand: { outlet_type: string; non_participating_outlets: string }): string | undefined {
  if (brand.outlet_type === ALL_OUTLETS) return undefined
  const listed = splitLines(brand.non_participating_outlets)
  if (listed.length === 0) return MESSAGES.required
  if (listed.length > LIMITS.outlets) return `must be ${LIMITS.outlets} lines at most`
  const isLong = listed.some((name) => name.length > LIMITS.nameLength)
  return isLong ? MESSAGES.max(LIMITS.nameLength) : undefined
}

/** The first values of a brand. The dialog lists its errors in the order of these fields. */
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

/** A brand in the application's list. */
export interface BrandEntry {
  /** Known only on this device. The server gets no id of a brand. */
  id: string
  values: BrandValues
}

const contactEmailOf = ({ values }: BrandEntry) => values.contact_email.trim().toLowerCase()

export const emailsOfOthers = (brands: readonly BrandEntry[], id: string): string[] =>
  brands.filter((brand) => brand.id !== id).map(contactEmailOf)

/** Returns a sentence for each brand that cannot be sent, by the brand's id. A brand saved offline may lack its logo, for example. */
export function brandFaults(brands: readonly BrandEntry[]): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  const seen = new Set<string>()
  for (const brand of brands) {
    const isUsed = seen.has(contactEmailOf(brand))
    const fault = isUsed ? errorSentence(BRAND_LABELS.contact_email, CONTACT_EMAIL_TAKEN) : ownFault(brand.values)
    if (fault !== undefined) faults.set(brand.id, fault)
    seen.add(contactEmailOf(brand))
  }
  return faults
}

const SINGLE_BRAND = brandSchema({ otherEmails: [], logoLater: false })

/** A cache: every key press validates up to fifty brands, but only one of them has changed. */
const knownFaults = new WeakMap<BrandValues, { fault: string | undefined }>()

function ownFault(values: BrandValues): string | undefined {
  const known = knownFaults.get(values) ?? { fault: firstFault(values) }
  knownFaults.set(values, known)
  return known.fault
}

function firstFault(values: BrandValues): string | undefined {
  const { issues } = v.safeParse(SINGLE_BRAND, values)
  if (!issues) return undefined
  const [field] = (v.getDotPath(issues[0]) ?? '').split('.')
  return errorSentence(BRAND_LABELS[field as keyof typeof BRAND_LABELS] ?? 'Brand', issues[0].message)
}

/** The labels of a brand's fields, in the dialog and in errors of the application. */
export const BRAND_LABELS = {
  name: 'Brand name',
  website: 'Website',
  logo: 'Logo',
  outlet_type: 'Which outlets take part?',
  non_participating_outlets: 'Outlets that do not take part',
  outlets_participating: 'Number of outlets taking part',
  terminal_types: 'Cashier terminal types',
  industry_type: 'Industry type',
  contact_name: 'Contact person',
  contact_designation: 'Designation',
  contact_number: 'Contact number',
  contact_email: 'Contact email',
} as const
