import * as v from 'valibot'
import type { ApplicantRole } from '../../../contract/accounts/permissions.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { MerchantApplication, TERMS_VERSION } from '../../../contract/merchants/application.ts'
import { emptyAsNull, numberFromText, webAddress } from '../../../contract/merchants/merchantFields.ts'
import { MESSAGES } from '../../../contract/wireFields.ts'
import { brandFaults, brandSchema, type BrandEntry } from './brands.ts'

const { entries } = MerchantApplication

/** Returns the first brand's error, with its name. The rows of the list show the errors of the other brands. */
function firstFaultMessage(brands: readonly BrandEntry[]): string {
  const [[id, fault] = ['', '']] = brandFaults(brands)
  return `${brands.find((brand) => brand.id === id)?.values.name}: ${fault}`
}

const brandEntries = v.pipe(
  v.custom<BrandEntry[]>(Array.isArray),
  v.minLength(1, MESSAGES.brandRequired),
  v.maxLength(LIMITS.brands, `${LIMITS.brands} brands at most.`),
  v.check(
    (brands) => brandFaults(brands).size === 0,
    ({ input }) => firstFaultMessage(input),
  ),
)

/** Checks the typed values by the rules of the contract. The output is the request without the captcha proof. */
export const ApplicationSchema = v.pipe(
  v.strictObject({
    /** The server recognises a repeated application by this id. */
    id: entries.id,
    role: entries.role,
    email: entries.email,
    organisation_name: entries.organisation_name,
    website: emptyAsNull(webAddress),
    office_address: entries.office_address,
    postal_code: entries.postal_code,
    brands: brandEntries,
    hpb_partnership: v.pipe(v.string(), v.picklist(['Yes', 'No'], MESSAGES.required)),
    credit_terms_days: numberFromText(entries.credit_terms_days),
    /** The accepted version of the terms, or empty. If the version is not the newest, the person has to accept again. */
    terms_accepted: v.pipe(v.string(), v.literal(TERMS_VERSION, MESSAGES.termsRequired)),
    /** The brand whose dialog is open: its id, `new`, or empty. After a reload the dialog opens again. */
    editing: v.string(),
  }),
  v.transform(({ editing: _dialog, brands, hpb_partnership, terms_accepted, ...application }) => ({
    ...application,
    hpb_partnership: hpb_partnership === 'Yes',
    terms_accepted: true as const,
    terms_version: terms_accepted,
    brands: brands.map(({ values }) => {
      const { logo, ...brand } = v.parse(brandSchema({ otherEmails: [], logoLater: false }), values)
      return { ...brand, logo: logo!.key }
    }),
  })),
)

/** The application as it is typed and stored in its draft. */
export type ApplicationValues = v.InferInput<typeof ApplicationSchema>

export const emptyApplication = (id: string, role: ApplicantRole): ApplicationValues => ({
  id,
  role,
  email: '',
  organisation_name: '',
  website: '',
  office_address: '',
  postal_code: '',
  brands: [],
  hpb_partnership: '',
  credit_terms_days: '',
  terms_accepted: '',
  editing: '',
})
