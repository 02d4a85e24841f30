import * as v from 'valibot'
import { CONTACT_EMAIL_TAKEN } from '../../contract/merchants/application.ts'
import { errorSentence } from '../../ui/worded.ts'
import { brandSchema, type BrandValues } from '../merchants/application/brands.ts'
import { BRAND_LABELS } from './brandLabels.ts'

/** A brand of the list. */
export interface BrandEntry {
  /** Known to this device only. */
  id: string
  values: BrandValues
}

const contactEmailOf = ({ values }: BrandEntry) => values.contact_email.trim().toLowerCase()

export const emailsOfOthers = (brands: readonly BrandEntry[], id: string): string[] =>
  brands.filter((brand) => brand.id !== id).map(contactEmailOf)

/** What keeps brands from being sent, by id, as sentences. The dialog lets through only what a lost line excuses. */
export function brandFaults(brands: readonly BrandEntry[]): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  const seen = new Set<string>()
  for (const brand of brands) {
    const isTaken = seen.has(contactEmailOf(brand))
    const fault = isTaken ? errorSentence(BRAND_LABELS.contact_email, CONTACT_EMAIL_TAKEN) : ownFault(brand.values)
    if (fault !== undefined) faults.set(brand.id, fault)
    seen.add(contactEmailOf(brand))
  }
  return faults
}

const SINGLE_BRAND = brandSchema({ otherEmails: [], logoLater: false })
/** Fifty brands are looked at with every key of the form around them; they change one at a time. */
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
