/** The digits that a PIN in the form begins with: the merchant ID, or its last three digits if it is longer. */
export const pinPrefix = (merchantId: string): string => merchantId.slice(-3)

const SEQUENCE = '01234567890123456789'

const isSequence = (digits: string) => SEQUENCE.includes(digits) || SEQUENCE.includes([...digits].toReversed().join(''))

const isOneDigit = (digits: string) => /^(\d)\1*$/.test(digits)

/** Easily guessed digits: 000, 123, 321 … */
const isObvious = (digits: string) => isOneDigit(digits) || isSequence(digits)

/**
 * True if a branch PIN of 6 digits is easy to guess: obvious digits, the same three digits twice, or the first or last three digits of the merchant
 * ID and then obvious ones. Such a PIN is flagged, not refused.
 */
export function isWeakPin(pin: string, merchantId: string): boolean {
  const [head, tail] = [pin.slice(0, 3), pin.slice(3)]
  const isOfMerchant = head === pinPrefix(merchantId) || head === merchantId.slice(0, 3)
  return isObvious(pin) || head === tail || (isOfMerchant && isObvious(tail))
}

export type BranchDaysState = 'upcoming' | 'open' | 'ended'

/** Returns the state of an adhoc branch on a Singapore day: it is open from its first day to its last, both included. */
export function branchDaysState({ from, to }: { from: string; to: string }, today: string): BranchDaysState {
  if (today < from) return 'upcoming'
  return today <= to ? 'open' : 'ended'
}
