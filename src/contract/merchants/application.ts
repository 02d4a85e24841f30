import * as v from 'valibot'
import { APPLICANT_ROLES } from '../accounts/permissions.ts'
import { email, guid, text } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { count, listOf, MESSAGES, quantity } from '../wireFields.ts'
import { uploadKey, webAddress } from './merchantFields.ts'
import { phone, postalCode } from './singaporeNumbers.ts'

/** The equipment of a brand's cashiers (rule 5.3). */
export const TERMINAL_TYPES = [
  'PC/laptop with internet',
  'Smart device with internet',
  '3D barcode scanner reading EAN 13, with or without internet',
] as const

export const OUTLET_TYPES = ['All outlets', 'All except listed'] as const

export const INDUSTRY_TYPES = [
  'Food and beverage',
  'Supermarket and grocery',
  'Pharmacy and health products',
  'Sports and fitness',
  'Health screening and clinics',
  'Retail',
  'Others',
] as const

/** A brand in an application. `logo` is the key of an upload. */
export const Brand = v.pipe(
  v.strictObject({
    name: text(LIMITS.nameLength),
    website: v.nullable(webAddress),
    logo: uploadKey,
    outlet_type: v.picklist(OUTLET_TYPES, MESSAGES.required),
    non_participating_outlets: listOf(text(LIMITS.nameLength), LIMITS.outlets),
    outlets_participating: quantity,
    terminal_types: v.pipe(
      listOf(v.picklist(TERMINAL_TYPES), TERMINAL_TYPES.length),
      v.minLength(1, MESSAGES.required),
    ),
    industry_type: v.picklist(INDUSTRY_TYPES, MESSAGES.required),
    contact_name: text(LIMITS.nameLength),
    contact_designation: text(LIMITS.nameLength),
    contact_number: phone,
    contact_email: email,
  }),
  v.forward(
    v.partialCheck(
      [['outlet_type'], ['non_participating_outlets']],
      ({ outlet_type, non_participating_outlets: listed }) =>
        outlet_type === 'All outlets' ? listed.length === 0 : listed.length > 0,
      'must list the outlets that do not take part, or be empty for all outlets',
    ),
    ['non_participating_outlets'],
  ),
)

export type Brand = v.InferOutput<typeof Brand>

/** The message when two brands have the same contact email (rule 5.4), regardless of case. */
export const CONTACT_EMAIL_TAKEN = 'must be unique per brand'

const brands = v.pipe(
  listOf(Brand, LIMITS.brands),
  v.minLength(1, MESSAGES.brandRequired),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const seen = new Set<string>()
    dataset.value.forEach((brand, index) => {
      const address = brand.contact_email.toLowerCase()
      if (!seen.has(address)) return seen.add(address)
      addIssue({
        message: CONTACT_EMAIL_TAKEN,
        path: [
          { type: 'array', origin: 'value', input: dataset.value, key: index, value: brand },
          { type: 'object', origin: 'value', input: brand, key: 'contact_email', value: brand.contact_email },
        ],
      })
      return undefined
    })
  }),
)

/** The merchant application (rule 5.2). `email` becomes the login of the main account. */
export const MerchantApplication = v.strictObject({
  /** Chosen by the applicant's browser. After a lost answer the same id is sent again, and means the same application. */
  id: guid,
  role: v.picklist(APPLICANT_ROLES),
  email,
  organisation_name: v.pipe(text(LIMITS.nameLength), v.minLength(3, MESSAGES.min3)),
  website: v.nullable(webAddress),
  office_address: text(LIMITS.addressLength),
  postal_code: postalCode,
  brands,
  hpb_partnership: v.boolean(),
  credit_terms_days: v.pipe(count, v.maxValue(365, 'must be 365 or less')),
  terms_accepted: v.literal(true, MESSAGES.termsRequired),
  /** The version of the terms that were shown. */
  terms_version: text(20),
})

export type MerchantApplication = v.InferOutput<typeof MerchantApplication>

/** The version of the terms and conditions in force, which an applicant has to accept. */
export const TERMS_VERSION = '1.0'
