import type { LegalDocument } from './LegalDocument.ts'
import { TERMS_AND_CONDITIONS } from './termsAndConditions.ts'

/** What a merchant prints, signs and uploads with the onboarding (rule 5.6): the terms, with room for a signature. */
export const MERCHANT_AGREEMENT: LegalDocument = {
  ...TERMS_AND_CONDITIONS,
  title: 'Merchant agreement',
  intro: [
    'This agreement is between the merchant named at its end and the provider of the health rewards voucher programme. Its terms are the terms and conditions of the programme, in the version above.',
    'Sign it at its end, save it as one PDF with all its pages, and upload it with your onboarding.',
  ],
  signature: [
    'Organisation name, as registered with ACRA',
    'Company registration number (UEN)',
    'Name of the person who signs',
    'Designation',
    'Date',
    'Signature',
  ],
}
