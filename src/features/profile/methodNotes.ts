import type { VerificationMethod } from '../../contract/profile.ts'

/** What a cashier does with each voucher. */
export const METHOD_NOTES: Record<VerificationMethod, string> = {
  Serial: 'The 13 digits, scanned or typed.',
  'Serial and branch PIN': 'Also the 6-digit PIN of the branch.',
}
