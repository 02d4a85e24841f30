/** The words that a row of the tray shows. */
export interface RowWords {
  tone: 'good' | 'risk' | 'refused' | 'on hold' | 'unknown' | 'checking'
  word: string
  /** The consequence for the bill. */
  say: string
  /** Shown beside the serial. */
  fact?: string | undefined
  /** The value of the voucher, if it is known. */
  cents?: number | undefined
  /** The explanation of what happened, in one or two sentences. */
  happened: string
  /** Words for the customer; empty if there are none. */
  tell: string
  /** The next step for the cashier. */
  todo: string
  /** True if a new check may give another answer. */
  mayTryAgain?: boolean
}

/** Returns the words for a voucher that nothing is known against and that was not taken. */
export const notNowWords = (happened: string, todo = 'Ask for another way to pay.'): RowWords => ({
  tone: 'unknown',
  word: 'Cannot be checked now',
  say: 'Ask for another way to pay. The voucher stays valid.',
  happened: `${happened} Nothing was redeemed.`,
  tell: '“We cannot check it now. Please keep it, it stays valid.”',
  todo,
  mayTryAgain: true,
})
