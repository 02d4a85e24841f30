/** What a row of the tray says. */
export interface RowWords {
  tone: 'good' | 'risk' | 'refused' | 'on hold' | 'unknown' | 'checking'
  word: string
  /** What it means for the bill. */
  say: string
  /** Stands beside the serial. */
  fact?: string | undefined
  /** Its worth, where that is known. */
  cents?: number | undefined
  happened: string
  /** Nothing, where there is nothing to tell. */
  tell: string
  todo: string
  /** The answer may be another one now. */
  mayTryAgain?: boolean
}

/** Nothing is wrong with the voucher, and nothing was taken. */
export const notNow = (happened: string, todo = 'Ask for other payment.'): RowWords => ({
  tone: 'unknown',
  word: 'Cannot be checked now',
  say: 'Ask for other payment. The voucher stays valid.',
  happened: `${happened} Nothing was redeemed.`,
  tell: '“We cannot check it now. Please keep it, it stays valid.”',
  todo,
  mayTryAgain: true,
})
